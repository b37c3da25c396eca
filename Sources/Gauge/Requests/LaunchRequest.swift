// What a runner asks of a launch, as command-line arguments of the benchmark executable.

/// One pass over one benchmark in a fresh process: what to measure, and for how long.
public struct LaunchRequest: Hashable, Sendable {
  /// What a launch measures. Time and counters never share a launch.
  public enum Pass: String, Sendable, CaseIterable {
    /// Time per operation and throughput, over timed batches.
    case time
    /// Latency of single operations, in a histogram.
    case latency
    /// Latency of operations that start on a fixed schedule, whether or not the one before has ended.
    case openLatency = "open_latency"
    /// Allocations, frees and bytes, over a fixed number of operations; needs the preloaded hooks.
    case allocations
    /// Instructions, over a fixed number of operations; needs callgrind around the launch.
    case counts
    /// CPU time, page faults, context switches and peak memory, over batches as for time.
    case resources
    /// System calls, over a fixed number of operations, by a process that traces this one.
    case systemCalls = "system_calls"
    /// Retains, releases and object allocations, over a fixed number of operations; needs the preloaded hooks.
    case references
    /// The state of jemalloc behind a fixed number of operations; needs it preloaded.
    case allocator
    /// Instructions, cycles and misses as the core counts them, over a fixed number of operations.
    case hardware
    /// Time of the first operation of a process.
    case singleShot = "single_shot"
    /// The author's own metrics, which the body records.
    case custom
    /// Call stacks, over batches as for time or a fixed number of operations; needs `LaunchRequest.profile`. No run
    /// takes it: `gauge profile` does.
    case profile
  }

  /// What a launch of the pass `profile` records, and where.
  public struct Profile: Hashable, Sendable {
    /// What is weighed.
    public enum Kind: String, Sendable, CaseIterable {
      /// CPU time, by sampling.
      case cpu
      /// Calls of the heap, each of them; needs the preloaded hooks.
      case allocations
      /// Retains and releases, each of them; needs the preloaded hooks.
      case references
      /// Waits of all threads, each of them; needs the preloaded hooks, and `GAUGE_HOOKS_WAITS=1` in the environment.
      case waits
      /// Events of single operations, in order; needs the preloaded hooks, `timeline`, and for waits the same variable.
      case timeline
      /// Times of operations while a function is virtually faster, or stacks of all threads to choose it by; needs the
      /// preloaded hooks, and `GAUGE_HOOKS_WAITS=1` and `GAUGE_HOOKS_WHATIF` in the environment.
      case experiments
    }

    /// What a timeline has, and of which operations.
    public struct Timeline: Hashable, Sendable {
      /// What happens on a timeline.
      public enum Events: String, Sendable, CaseIterable {
        /// Calls of the heap.
        case allocations
        /// Retains and releases.
        case references
        /// Waits of all threads.
        case waits
      }

      /// What is recorded; at least one.
      public var events: Set<Events>
      /// The first operation that is recorded, counted from 1 behind the warm-up.
      public var operation: Int
      /// How many operations are recorded, from that on.
      public var operations: Int
      /// Seconds that the operations between the warm-up and the first that is recorded may take.
      public var timeLimit: Int

      /// The last operation that a request may ask for.
      public static let lastOperation = 1_000_000_000
      /// Most operations that a request may ask for.
      public static let mostOperations = 1000
      /// Seconds that the way to the first operation may take where nothing else is asked for.
      public static let usualTimeLimit = 30
      /// Most seconds that a request may allow.
      public static let highestTimeLimit = 86_400

      /// Creates the part of a request that is about a timeline.
      ///
      /// - Parameters:
      ///   - events: What is recorded; at least one.
      ///   - operation: The first operation that is recorded, counted from 1 behind the warm-up, up to `lastOperation`.
      ///   - operations: How many operations are recorded, 1 to `mostOperations`.
      ///   - timeLimit: Seconds that the operations before them may take, behind the warm-up, up to `highestTimeLimit`.
      public init(
        _ events: Set<Events>, operation: Int = 1, operations: Int = 1, timeLimit: Int = Self.usualTimeLimit
      ) {
        self.events = events
        self.operation = operation
        self.operations = operations
        self.timeLimit = timeLimit
      }

      fileprivate var arguments: [String] {
        let events = Events.allCases.filter(events.contains).map(\.rawValue).joined(separator: ",")
        return ["--events", events, "--operation", "\(operation)", "--operations", "\(operations)"]
          + (timeLimit == Self.usualTimeLimit ? [] : ["--time-limit", "\(timeLimit)"])
      }

      fileprivate init?(_ values: [String: String]) {
        let words =
          values["--events"]?.split(separator: ",", omittingEmptySubsequences: false).map {
            Events(rawValue: String($0))
          } ?? []
        guard !words.isEmpty, !words.contains(nil), let operation = values["--operation"].flatMap({ Int($0) }),
          1...Self.lastOperation ~= operation, let operations = values["--operations"].flatMap({ Int($0) }),
          1...Self.mostOperations ~= operations,
          let timeLimit = values["--time-limit"].map({ Int($0) }) ?? Self.usualTimeLimit,
          1...Self.highestTimeLimit ~= timeLimit
        else { return nil }
        self.init(
          Set(words.compactMap(\.self)), operation: operation, operations: operations, timeLimit: timeLimit)
      }
    }

    /// What is weighed.
    public var kind: Kind
    /// Samples per second of CPU time.
    public var rate: Int
    /// Path of the file that the stacks are written to.
    public var file: String
    /// What a timeline has; nothing in other kinds.
    public var timeline: Timeline?

    /// The highest rate that a request may ask for.
    public static let highestRate = 100_000

    /// Creates the part of a request that is about a profile.
    ///
    /// - Parameters:
    ///   - kind: What is weighed.
    ///   - rate: Samples per second of CPU time, 1 to `highestRate`.
    ///   - file: Path of the file that the stacks are written to.
    ///   - timeline: What a timeline has; needed for that kind.
    public init(_ kind: Kind, rate: Int = 1000, file: String, timeline: Timeline? = nil) {
      self.kind = kind
      self.rate = rate
      self.file = file
      self.timeline = timeline
    }

    fileprivate var arguments: [String] {
      ["--kind", kind.rawValue, "--rate", "\(rate)", "--file", file] + (timeline?.arguments ?? [])
    }

    fileprivate init?(_ values: [String: String]) {
      guard let kind = values["--kind"].flatMap(Kind.init(rawValue:)), let file = values["--file"],
        let rate = values["--rate"].flatMap({ Int($0) }), 1...Self.highestRate ~= rate
      else { return nil }
      let timeline = Timeline(values)
      guard (timeline != nil) == (kind == .timeline) else { return nil }
      self.init(kind, rate: rate, file: file, timeline: timeline)
    }
  }

  /// Name of the benchmark, without parameters.
  public var benchmark: String
  /// The point of the parameter grid, as `name=value` joined by `;` in declaration order; empty without parameters.
  public var parameters: String
  /// What to measure.
  public var pass: Pass
  /// Measuring time that the launch should take, in milliseconds, warm-up not included.
  public var budget: Int
  /// File descriptor that the report is written to.
  public var reportDescriptor: Int32
  /// What to record in the pass `profile`.
  public var profile: Profile?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - benchmark: Name of the benchmark, without parameters.
  ///   - parameters: The point of the parameter grid, as `name=value` joined by `;`.
  ///   - pass: What to measure.
  ///   - budget: Measuring time in milliseconds.
  ///   - reportDescriptor: File descriptor that the report is written to.
  ///   - profile: What to record in the pass `profile`; nothing in others.
  public init(
    benchmark: String, parameters: String = "", pass: Pass, budget: Int = 50, reportDescriptor: Int32 = 3,
    profile: Profile? = nil
  ) {
    self.benchmark = benchmark
    self.parameters = parameters
    self.pass = pass
    self.budget = budget
    self.reportDescriptor = reportDescriptor
    self.profile = profile
  }

  /// The hidden verb of a benchmark executable that runs one launch.
  public static let verb = "launch"

  /// The request as arguments of a benchmark executable, verb included.
  public var arguments: [String] {
    [
      Self.verb, "--benchmark", benchmark, "--parameters", parameters, "--pass", pass.rawValue,
      "--budget", "\(budget)", "--report-descriptor", "\(reportDescriptor)",
    ] + (profile?.arguments ?? [])
  }

  /// Reads the arguments behind the verb.
  ///
  /// - Returns: The request, or `nil` if an argument is unknown, repeated, missing or malformed.
  public init?(arguments: some Sequence<String>) {
    var values: [String: String] = [:]
    var name: String?
    for argument in arguments {
      if let option = name {
        guard values.updateValue(argument, forKey: option) == nil else { return nil }
        name = nil
      } else {
        name = argument
      }
    }
    guard
      name == nil, let benchmark = values["--benchmark"],
      let parameters = values["--parameters"], let pass = values["--pass"].flatMap(Pass.init(rawValue:)),
      let budget = values["--budget"].flatMap({ Int($0) }), budget > 0,
      let descriptor = values["--report-descriptor"].flatMap({ Int32($0) }), descriptor >= 0,
      values.count == Self.count(of: values, pass)
    else { return nil }
    self.init(
      benchmark: benchmark, parameters: parameters, pass: pass, budget: budget, reportDescriptor: descriptor)
    guard pass == .profile else { return }
    guard let profile = Profile(values) else { return nil }
    self.profile = profile
  }

  /// How many options a request has that is neither about too much nor about too little.
  private static func count(of values: [String: String], _ pass: Pass) -> Int {
    guard pass == .profile else { return 5 }
    guard values["--kind"] == Profile.Kind.timeline.rawValue else { return 8 }
    return values["--time-limit"] == nil ? 11 : 12
  }
}
