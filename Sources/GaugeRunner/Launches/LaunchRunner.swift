// Carrying out a plan: one launch at a time, results written as they come, broken benchmarks left out of the rest.

import Gauge

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
  /// Time after which a launch is killed; `nil` allows 10 s and 20 times its measuring time.
  let timeLimit: Duration?
  /// Signals that end the run cleanly.
  let signals: PendingSignals?
  /// What counts instructions; `nil` where it isn't installed.
  var callgrind: Callgrind?
  /// What an earlier, interrupted run of the same plan has done already.
  var history = RunHistory()

  /// What a run came to.
  struct Summary: Hashable {
    /// Launches that were measured to the end.
    var measured = 0
    /// Launches that the benchmark asked to skip, the dropped rest of its pass included.
    var skipped = 0
    /// Launches that were dropped because the benchmark had broken before.
    var dropped = 0
    /// Benchmarks that broke.
    var faults: [BenchmarkFault] = []
    /// The signal that ended the run early.
    var interruption: Int32?
  }

  /// Runs the plan to its end, or to an interrupt.
  ///
  /// - Parameters:
  ///   - file: Where rows go, one launch at a time.
  ///   - progress: What shows how far the run is.
  /// - Throws: `ResultFile.Failure.unwritable` where the file takes no more rows; it then holds all launches before.
  func run(into file: borrowing ResultFileWriter, progress: inout ProgressDisplay) throws(ResultFile.Failure) -> Summary
  {
    var summary = Summary()
    var broken = history.broken
    var skipped = history.skipped
    defer { progress.end() }
    for launch in plan.launches {
      if history.finished.contains(launch.sequence) {
        progress.leaveOut(launch)
        continue
      }
      if broken.contains(launch.point) {
        summary.dropped += 1
        progress.advance(past: launch)
        continue
      }
      if skipped.contains(PlannedPass(launch)) {
        summary.skipped += 1
        progress.advance(past: launch)
        continue
      }
      if let signal = signals?.first {
        summary.interruption = signal
        break
      }
      progress.begin(launch)
      switch outcome(of: launch) {
      case .measured(let measurements):
        try file.append(rows(measurements, of: launch))
        summary.measured += 1
      case .skipped(let reason):
        let metric = Self.metric(standingFor: launch.pass)
        try file.append(rows([Measurement(metric, .unavailable(RunHistory.skippedPrefix + reason))], of: launch))
        skipped.insert(PlannedPass(launch))
        summary.skipped += 1
      case .broken(let reason, let output):
        let fault = BenchmarkFault(
          benchmark: launch.point.benchmark, parameters: launch.point.parameters, reason: reason, output: output,
          launch: launch.launch, sequence: launch.sequence)
        try file.append(fault)
        broken.insert(launch.point)
        summary.faults.append(fault)
        progress.tell("fault: \(launch.point.title): \(reason)")
      case .interrupted(let signal):
        summary.interruption = signal
      }
      if summary.interruption != nil { break }
      progress.advance(past: launch)
    }
    return summary
  }

  private func outcome(of launch: PlannedLaunch) -> LaunchOutcome {
    if launch.pass == .counts {
      return callgrind?.outcome(
        of: launch, environment: environment, limit: timeLimit ?? Callgrind.limit, stoppingOn: signals)
        ?? .measured(Metric.counted.map { Measurement($0, .unavailable(Callgrind.absence)) })
    }
    let counting = Self.preloads(launch.pass) ? libraries[launch.point.executable] : nil
    var variables = counting?.environment(from: environment) ?? environment
    // What a dictionary does depends on the seed of its hashes, and a count is to repeat exactly.
    if launch.pass == .references { variables["SWIFT_DETERMINISTIC_HASHING"] = "1" }
    let command = Command(
      program: launch.point.executable, arguments: launch.request.arguments, environment: variables)
    let limit = timeLimit ?? .seconds(10) + .milliseconds(launch.budget) * 20
    do throws(SystemError) {
      return LaunchOutcome(try ProcessRun.capturing(command, limit: limit, stoppingOn: signals))
    } catch {
      return .broken(reason: error.description, output: "")
    }
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
    }
  }
}
