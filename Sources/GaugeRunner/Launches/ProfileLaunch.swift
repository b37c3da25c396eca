// A launch that records call stacks, and what becomes of them.

import Gauge

/// One launch of the pass `profile`.
struct ProfileLaunch {
  /// What is run.
  var point: BenchmarkPoint
  /// The root of all stacks, where it is not the benchmark: that of what it is compared with.
  var title: String?
  /// What is weighed.
  var kind: LaunchRequest.Profile.Kind
  /// Samples per second of CPU time.
  var rate = 1000
  /// Measuring time in milliseconds.
  var budget: Int
  /// What to preload where calls are counted.
  var libraries: CountingLibraries?
  /// The user's environment.
  var environment: [String: String]
  /// Path of a file that the launch writes and that is removed afterwards.
  var file: String
  /// What a timeline has.
  var timeline: LaunchRequest.Profile.Timeline?
  /// The code that is virtually faster in experiments; empty to record stacks instead.
  var faster: [Range<UInt64>] = []

  /// What a launch came to.
  enum Came<Recorded> {
    /// Recorded, with the counts that the launch itself has made.
    case recorded(Recorded, counts: [Measurement])
    /// There is nothing, and why.
    case unavailable(String)
    /// The benchmark asked not to be run, with its reason.
    case skipped(String)
    /// It broke, with a reason and the last lines that it printed.
    case broken(reason: String, output: String)
    /// This process was asked to stop.
    case interrupted(signal: Int32)
  }

  /// What a launch for profiles came to.
  typealias Outcome = Came<StackProfiles>

  /// The command of the launch.
  var command: Command {
    let request = LaunchRequest(
      benchmark: point.benchmark, parameters: point.parameters, pass: .profile, budget: budget,
      profile: LaunchRequest.Profile(kind, rate: rate, file: file, timeline: timeline))
    let pass: LaunchRequest.Pass? =
      switch kind {
      case .cpu: nil
      case .allocations: .allocations
      case .references: .references
      // With the C library's allocator, as in launches for time: a lock of another one would be waited for, too.
      case .waits, .experiments: .references
      // How often an array grows depends on the allocator, and a dictionary on its hashes:
      // two launches are to be alike.
      case .timeline: .references
      }
    var variables = pass.map { LaunchRunner.variables(for: $0, libraries, environment) } ?? environment
    if kind == .experiments {
      variables["GAUGE_HOOKS_WHATIF"] =
        faster.isEmpty
        ? "survey"
        : faster.map { "\(String($0.lowerBound, radix: 16))-\(String($0.upperBound, radix: 16))" }.joined(
          separator: ",")
    }
    if kind == .waits || kind == .experiments || timeline?.events.contains(.waits) ?? false {
      variables["GAUGE_HOOKS_WAITS"] = "1"
    }
    return Command(program: point.executable, arguments: request.arguments, environment: variables)
  }

  /// Runs the launch, and reads its stacks.
  ///
  /// - Parameters:
  ///   - symboliser: What names addresses.
  ///   - signals: Signals on which it is killed at once.
  func run(_ symboliser: Symboliser, stoppingOn signals: PendingSignals? = nil) -> Outcome {
    record(stoppingOn: signals) { file, operations in
      StackProfiles(
        file, kind: kind, operations: operations, title: title ?? point.title, executable: point.executable,
        symboliser: symboliser)
    }
  }

  /// Runs the launch, and reads its file.
  ///
  /// - Parameters:
  ///   - signals: Signals on which it is killed at once.
  ///   - read: Makes something of the file and the number of operations that it is of.
  func record<Recorded>(
    stoppingOn signals: PendingSignals? = nil,
    _ read: (SampleFile, Int) throws(SampleFile.FormatError) -> Recorded
  ) -> Came<Recorded> {
    defer { Files.remove(file) }
    let limit = Duration.seconds(30 + (timeline?.timeLimit ?? 0)) + .milliseconds(budget) * 20
    let outcome: LaunchOutcome
    do throws(SystemError) {
      outcome = LaunchOutcome(try ProcessRun.capturing(command, limit: limit, stoppingOn: signals))
    } catch {
      return .broken(reason: error.description, output: "")
    }
    switch outcome {
    case .interrupted(let signal): return .interrupted(signal: signal)
    case .skipped(let reason): return .skipped(reason)
    case .broken(let reason, let output): return .broken(reason: reason, output: output)
    case .measured(let measurements):
      guard let told = measurements.last(where: { $0.metric.name == Metric.profiledOperations.name }) else {
        return .broken(reason: "said nothing about its stacks", output: "")
      }
      if case .unavailable(let reason) = told.outcome { return .unavailable(reason) }
      do {
        let stacks = try SampleFile(Files.contents(of: file))
        return .recorded(
          try read(stacks, told.iterations),
          counts: measurements.filter { $0.metric.name != Metric.profiledOperations.name })
      } catch {
        return .broken(reason: "its stacks can't be read: \(error)", output: "")
      }
    }
  }
}
