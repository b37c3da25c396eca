// What records call stacks in a launch: the sampling of CPU time, and the hooks at the calls of the heap and of
// reference counting.

import CProbes

/// Where the stacks of what is measured begin.
typealias StackRoot = probe_root

extension StackRoot {
  /// No such place.
  static let none = probe_root()
}

/// Records call stacks, once.
class StackRecorder {
  /// Whether the stacks end at a frame of the thread that starts the recording.
  final var isRooted = true
  /// The frame that they end at.
  final var root = StackRoot.none
  /// Why nothing is recorded; `nil` where it is.
  final fileprivate(set) var absence: String?
  /// Stacks that were recorded.
  final fileprivate(set) var count = 0

  /// A recorder that can't record.
  ///
  /// - Parameter absence: Why.
  init(absence: String? = nil) {
    self.absence = absence
  }

  /// Records nothing, for a reason of somebody else's.
  final func give(up reason: String?) { absence = absence ?? reason }

  /// Starts, or makes ready for `CallStacks.record`.
  func start() {}
  /// Stops; does nothing where it was not started.
  func stop() {}

  /// Writes what was recorded.
  ///
  /// - Returns: 0, or the error number.
  fileprivate func write(to path: String) -> Int32 { 0 }

  /// Writes what was recorded, and says how many operations it is of.
  ///
  /// - Parameters:
  ///   - operations: The operations.
  ///   - file: Path of the file.
  final func conclude(operations: Int, file: String) -> Measurement {
    if absence == nil, operations == 0 { absence = "no operation was recorded" }
    if absence == nil {
      let error = write(to: file)
      if error != 0 { absence = "the stacks can't be written to \(file): " + System.describe(errorNumber: error) }
    }
    if let absence { return Measurement(.profiledOperations, .unavailable(absence)) }
    return Measurement(.profiledOperations, .value(Double(operations)), iterations: operations, samples: count)
  }
}

/// The stacks of threads as they use CPU time.
final class TimeStacks: StackRecorder {
  private let rate: Int
  private let finest: probe_sampling_clock

  /// - Parameters:
  ///   - rate: Samples per second of CPU time.
  ///   - finest: The first clock to try, for tests.
  init(rate: Int, finest: probe_sampling_clock = probe_sampling_events) {
    self.rate = rate
    self.finest = finest
    super.init()
  }

  /// The first clock to try: the finest, or, to show what happens without it,
  /// the one whose number the environment gives.
  static var finestClock: probe_sampling_clock {
    System.environment("GAUGE_SAMPLING_CLOCK").flatMap { UInt32($0) }.map { probe_sampling_clock(rawValue: $0) }
      ?? probe_sampling_events
  }

  override func start() {
    let result = probe_start_sampling(UInt32(rate), isRooted ? root : .none, finest)
    if result < 0 { absence = "threads can't be sampled: " + System.describe(errorNumber: -result) }
  }

  override func stop() {
    count = max(count, probe_stop_sampling())
  }

  override fileprivate func write(to path: String) -> Int32 {
    // The path is a C string for the time of the call.
    unsafe probe_write_samples(path)
  }
}

/// The stacks of calls that the preloaded library counts.
final class CallStacks: StackRecorder {
  /// Which calls.
  enum Calls {
    /// Those of the heap.
    case allocations
    /// Retains and releases.
    case references
    /// Calls that block, timed from the first to the last.
    case waits
    /// None: experiments with virtual speed-ups.
    case experiments
    /// Event by event.
    case timeline(Set<LaunchRequest.Profile.Timeline.Events>)

    fileprivate var number: probe_calls {
      switch self {
      case .allocations: probe_calls_of_heap
      case .references: probe_calls_of_references
      case .waits: probe_calls_that_wait
      case .experiments: probe_experiments
      case .timeline(let events):
        probe_calls(
          rawValue: events.reduce(probe_timeline.rawValue) { number, events in
            switch events {
            case .allocations: number | probe_timeline_of_heap.rawValue
            case .references: number | probe_timeline_of_references.rawValue
            case .waits: number | probe_timeline_of_waits.rawValue
            }
          })
      }
    }

    /// Whether the library has to follow waits from the start of the process on.
    fileprivate var haveWaits: Bool {
      switch self {
      case .allocations, .references: false
      case .waits, .experiments: true
      case .timeline(let events): events.contains(.waits)
      }
    }
  }

  /// Why waits can't be recorded although the library is there.
  static let waitsAbsence =
    "waits are followed from the start of a process on (gauge profile does it; by hand: GAUGE_HOOKS_WAITS=1 with "
    + "LD_PRELOAD=libGaugeHooks.so of the build folder)"

  /// Why experiments can't be made although the library is there.
  private static var experimentsAbsence: String? {
    switch probe_can_experiment() {
    case 0: nil
    case -1:
      "experiments are prepared from the start of a process on (gauge whatif does it; by hand: GAUGE_HOOKS_WAITS=1 and "
        + "GAUGE_HOOKS_WHATIF=survey with LD_PRELOAD=libGaugeHooks.so of the build folder)"
    case -2: "the program has a profiler of its own, which uses the same signal (SIGPROF)"
    case let error: "threads can't have timers: " + System.describe(errorNumber: error)
    }
  }

  private let calls: Calls

  /// - Parameter calls: Which calls.
  init(of calls: Calls) {
    self.calls = calls
    let canRecord = probe_can_record_calls() != 0
    let canWait = !calls.haveWaits || probe_can_record_waits() != 0
    super.init(absence: !canRecord ? HeapHooks.absence : canWait ? nil : Self.waitsAbsence)
    if case .experiments = calls { give(up: Self.experimentsAbsence) }
  }

  override func start() {
    guard absence == nil else { return }
    let error = probe_prepare_recording_calls(calls.number, isRooted ? root : .none)
    if error != 0 { absence = "calls can't be recorded: " + System.describe(errorNumber: error) }
    isReady = error == 0
    // Waits are of a span of time, as samples are; nothing is read before them.
    if isReady, case .waits = calls { Self.record() }
  }

  /// Whether `record` may be called.
  private(set) var isReady = false

  /// Records from now on. Does nothing else, as it stands behind a reading of the counters.
  @inline(__always)
  static func record() { probe_start_recording_calls() }

  /// Records no more.
  @inline(__always)
  static func pause() { _ = probe_stop_recording_calls() }

  /// Begins an experiment in which a function is faster by so many thousandths. Where `isReady`.
  static func beginExperiment(speedUp: Int) { probe_begin_experiment(UInt32(speedUp)) }

  /// Ends it behind so many operations.
  func endExperiment(operations: Int) {
    probe_end_experiment(operations)
    experiments += 1
  }

  private var experiments = 0

  override func stop() {
    guard isReady else { return }
    count = probe_stop_recording_calls() + experiments
  }

  override fileprivate func write(to path: String) -> Int32 {
    // The path is a C string for the time of the call.
    unsafe probe_write_calls(path)
  }
}
