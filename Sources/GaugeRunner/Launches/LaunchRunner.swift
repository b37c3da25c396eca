// Carrying out a plan: one launch at a time, results written as they come, broken benchmarks left out of the rest.

import Gauge
import GaugeStatistics

/// Runs the launches of a plan.
struct LaunchRunner {
  /// What to run.
  let plan: LaunchPlan
  /// Which metrics to write.
  let selection: MetricSelection
  /// What to preload into counting launches, by executable.
  let libraries: [String: CountingLibraries]
  /// The environment of launches.
  let environment: [String: String]
  /// Time after which a launch is killed; `nil` adapts it, see `LaunchLimits`.
  let timeLimit: Duration?
  /// Signals that end the run cleanly.
  let signals: PendingSignals?
  /// What counts instructions; `nil` where it isn't installed.
  var callgrind: Callgrind?
  /// What an earlier, interrupted run of the same plan has done already.
  var history = RunHistory()
  /// Whether launches for time that somebody disturbed are made once more.
  var repeatsDisturbed = false

  /// What a run came to.
  struct Summary: Hashable {
    /// Launches that were measured to the end, those that were made once more included.
    var measured = 0
    /// Launches of these that were made once more.
    var repeated = 0
    /// Launches that the benchmark asked to skip, the dropped rest of its pass included.
    var skipped = 0
    /// Launches that were dropped because the benchmark had broken before.
    var dropped = 0
    /// Benchmarks that broke.
    var faults: [BenchmarkFault] = []
    /// Times of the reference loop in launches that measure time, in order.
    var referenceTurns: [Double] = []
    /// How many times the median the mean of a benchmark's operations is, by launch, for each title.
    var meansByMedian: [String: [Double]] = [:]
    /// The signal that ended the run early.
    var interruption: Int32?
  }

  /// What a reader of median times must know: where few operations take most of the time.
  ///
  /// - Parameter meansByMedian: Of each benchmark, how many times the median the mean is, by launch.
  static func remarks(onMeans meansByMedian: [String: [Double]]) -> [String] {
    meansByMedian.mapValues { median(of: $0) }.filter { $0.value >= Self.partedMeans }.sorted { $0.key < $1.key }.map {
      "\($0.key): its operations take ×\(digits($0.value)) their median on average: a few are long "
        + "(\(Metric.meanTime.name) and \(Metric.throughput.name) are of all, \(Metric.time.name) is of most)"
    }
  }

  /// How many times the median a mean must be to be told.
  private static let partedMeans = 1.2

  /// Runs the plan to its end, or to an interrupt.
  ///
  /// - Parameters:
  ///   - file: Where rows go, one launch at a time.
  ///   - progress: What shows how far the run is.
  /// - Throws: `ResultFile.Failure.unwritable` where the file takes no more rows; it then holds all launches before.
  func run(into file: borrowing ResultFileWriter, progress: inout ProgressDisplay) throws(ResultFile.Failure) -> Summary
  {
    var summary = Summary()
    var state = State(
      finished: history.finished, broken: history.broken, skipped: history.skipped,
      limits: LaunchLimits(fixed: timeLimit), disturbed: DisturbedLaunches(of: plan, selection, after: history))
    defer { progress.end() }
    for (index, launch) in plan.launches.enumerated() {
      if history.finished.contains(launch.sequence) {
        progress.leaveOut(launch)
        continue
      }
      if state.finished.contains(launch.sequence) { continue }
      if state.broken.contains(launch.point) {
        summary.dropped += 1
        progress.advance(past: launch)
        continue
      }
      if state.skipped.contains(PlannedPass(launch)) {
        summary.skipped += 1
        progress.advance(past: launch)
        continue
      }
      if let signal = signals?.first {
        summary.interruption = signal
        break
      }
      progress.begin(launch)
      let batch = batch(from: index, state)
      let outcomes = outcomes(of: batch)
      for member in batch {
        guard let outcome = outcomes[member.sequence] else { continue }
        try take(outcome, of: member, &summary, &state, into: file, &progress)
      }
      if !state.finished.contains(launch.sequence) {
        if !batch.isEmpty, let signal = signals?.first {
          summary.interruption = signal
        } else {
          try run(launch, &summary, &state, into: file, &progress)
        }
      }
      if summary.interruption != nil { break }
    }
    if repeatsDisturbed { try runAgain(&summary, &state, into: file, &progress) }
    return summary
  }

  /// Makes once more what somebody disturbed, until enough of each benchmark's launches were left alone, or an
  /// interrupt.
  private func runAgain(
    _ summary: inout Summary, _ state: inout State, into file: borrowing ResultFileWriter,
    _ progress: inout ProgressDisplay
  ) throws(ResultFile.Failure) {
    while summary.interruption == nil {
      let launches = state.disturbed.again()
      if launches.isEmpty { return }
      progress.add(launches)
      for launch in launches {
        if let signal = signals?.first {
          summary.interruption = signal
          return
        }
        guard !state.broken.contains(launch.point), !state.skipped.contains(PlannedPass(launch)) else {
          progress.advance(past: launch)
          continue
        }
        progress.begin(launch)
        let measured = summary.measured
        try run(launch, &summary, &state, into: file, &progress)
        summary.repeated += summary.measured - measured
        if summary.interruption != nil { return }
      }
    }
  }

  private func run(
    _ launch: PlannedLaunch, _ summary: inout Summary, _ state: inout State, into file: borrowing ResultFileWriter,
    _ progress: inout ProgressDisplay
  ) throws(ResultFile.Failure) {
    let start = SuspendingClock.now
    let outcome = outcome(of: launch, limit: state.limits.limit(of: launch))
    if case .measured = outcome { state.limits.record(start.duration(to: .now), of: launch) }
    try take(outcome, of: launch, &summary, &state, into: file, &progress)
  }

  /// What of the plan is over.
  private struct State {
    var finished: Set<Int>
    var broken: Set<BenchmarkPoint>
    var skipped: Set<PlannedPass>
    var limits: LaunchLimits
    var disturbed: DisturbedLaunches
  }

  /// Takes the outcome of a launch into the file and the summary.
  private func take(
    _ outcome: LaunchOutcome, of launch: PlannedLaunch, _ summary: inout Summary, _ state: inout State,
    into file: borrowing ResultFileWriter, _ progress: inout ProgressDisplay
  ) throws(ResultFile.Failure) {
    switch outcome {
    case .measured(let measurements):
      try file.append(rows(measurements, of: launch))
      summary.measured += 1
      state.disturbed.note(launch, measurements)
      for measurement in measurements where measurement.metric.name == Metric.referenceLoop.name {
        if case .value(let turn) = measurement.outcome { summary.referenceTurns.append(turn) }
      }
      for measurement in measurements where measurement.metric.name == Metric.meanByMedian.name {
        if case .value(let ratio) = measurement.outcome {
          summary.meansByMedian[launch.point.title, default: []].append(ratio)
        }
      }
    case .skipped(let reason):
      let metric = Self.metric(standingFor: launch.pass)
      try file.append(rows([Measurement(metric, .unavailable(RunHistory.skippedPrefix + reason))], of: launch))
      state.skipped.insert(PlannedPass(launch))
      summary.skipped += 1
    case .broken(let reason, let output):
      let fault = BenchmarkFault(
        benchmark: launch.point.benchmark, parameters: launch.point.parameters, reason: reason, output: output,
        launch: launch.launch, sequence: launch.sequence)
      try file.append(fault)
      state.broken.insert(launch.point)
      summary.faults.append(fault)
      progress.tell("fault: \(launch.point.title): \(reason)")
    case .interrupted(let signal):
      summary.interruption = signal
      return
    }
    state.finished.insert(launch.sequence)
    progress.advance(past: launch)
  }

  /// A launch under callgrind with those to come that can share its process; nothing where it is run alone.
  private func batch(from index: Int, _ state: State) -> [PlannedLaunch] {
    let first = plan.launches[index]
    guard first.pass == .counts, callgrind != nil else { return [] }
    let batch = plan.launches[index...].lazy.filter {
      $0.pass == .counts && $0.point.executable == first.point.executable && !state.finished.contains($0.sequence)
        && !state.broken.contains($0.point) && !state.skipped.contains(PlannedPass($0))
    }.prefix(Callgrind.batch)
    return batch.count > 1 ? Array(batch) : []
  }

  private func outcomes(of batch: [PlannedLaunch]) -> [Int: LaunchOutcome] {
    callgrind?.outcomes(
      of: batch, environment: environment, limit: timeLimit ?? Callgrind.limit, stoppingOn: signals) ?? [:]
  }

  private func outcome(of launch: PlannedLaunch, limit: Duration) -> LaunchOutcome {
    if launch.pass == .counts {
      return callgrind?.outcome(
        of: launch, environment: environment, limit: timeLimit ?? Callgrind.limit, stoppingOn: signals)
        ?? .measured(Metric.counted.map { Measurement($0, .unavailable(Callgrind.absence)) })
    }
    let variables = Self.variables(for: launch.pass, libraries[launch.point.executable], environment)
    let command = Command(
      program: launch.point.executable, arguments: launch.request.arguments, environment: variables)
    do throws(SystemError) {
      return LaunchOutcome(try ProcessRun.capturing(command, limit: limit, stoppingOn: signals))
    } catch {
      return .broken(reason: error.description, output: "")
    }
  }

  /// The environment of a launch.
  ///
  /// - Parameters:
  ///   - pass: What it measures.
  ///   - libraries: What to preload where it counts.
  ///   - environment: The user's.
  static func variables(
    for pass: LaunchRequest.Pass, _ libraries: CountingLibraries?, _ environment: [String: String]
  ) -> [String: String] {
    var counting = preloads(pass) ? libraries : nil
    // An array grows into all that the allocator gives it: how often it must, with a retain or release for each
    // element, depends on the allocator. Counts are those over the C library's, as under valgrind.
    if pass == .references { counting?.jemalloc = nil }
    var variables = counting?.environment(from: environment) ?? environment
    // What a dictionary does depends on the seed of its hashes, and a count is to repeat exactly.
    if pass == .references { variables["SWIFT_DETERMINISTIC_HASHING"] = "1" }
    return variables
  }

  /// Whether launches of a pass are started with the counting libraries.
  static func preloads(_ pass: LaunchRequest.Pass) -> Bool { [.allocations, .references, .allocator].contains(pass) }

  private func rows(_ measurements: [Measurement], of launch: PlannedLaunch) -> [ResultRow] {
    measurements.filter { selection.takes($0.metric, of: launch.pass) }.map {
      ResultRow(
        benchmark: launch.point.benchmark, parameters: launch.point.parameters, metric: $0.metric,
        launch: launch.launch, sequence: launch.sequence, iterations: $0.iterations, samples: $0.samples,
        outcome: $0.outcome)
    }
  }

  /// The metric that says of a skipped pass that it was skipped.
  static func metric(standingFor pass: LaunchRequest.Pass) -> Metric {
    switch pass {
    case .time: .time
    case .latency: .latency(percentile: "50")
    case .openLatency: .openLatency(percentile: "50")
    case .allocations: .allocations
    case .counts: .instructions
    case .resources: .cpuTime
    case .systemCalls: .systemCalls
    case .references: .arcRetains
    case .allocator: .allocatorResident
    case .hardware: .hardwareInstructions
    case .singleShot: .singleShot
    case .custom: Metric("custom", unit: "")
    case .profile: .profiledOperations
    }
  }
}
