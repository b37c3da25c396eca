// Counters of this process: references, resources, events of the core, the allocator's state, system calls. Each says why
// where it can't count here.

import CProbes

/// Retains, releases and objects, by the preloaded library.
final class ReferenceCounter: Counter {
  /// Starts to count, where the library is preloaded.
  ///
  /// - Parameter absence: Why nothing is to be counted, for tests; by default the library says.
  init(absence: String? = ReferenceCounter.begin()) {
    super.init(
      [Metric.arcRetains, .arcReleases, .objectAllocations].enumerated().map {
        CountedQuantity(metric: $1, lane: $0, absence: absence)
      })
  }

  private static func begin() -> String? {
    // The reason is a string constant of the library, copied at once.
    unsafe probe_count_references().map { unsafe String(cString: $0) }
  }

  override func read() -> Counts {
    guard isCounting else { return .zero }
    var totals = probe_reference_counts()
    // The pointer is to a local that outlives the call, and the function only stores the three totals there.
    unsafe probe_read_references(&totals)
    return Counts(totals.retains, totals.releases, totals.objects, 0, 0, 0, 0, 0)
  }

  // Asked once: looking through the quantities retains them.
  private lazy var isCounting = isPresent
}

/// What the process uses: CPU time, page faults, context switches, memory.
final class UsageCounter: Counter {
  /// - Parameter error: The system's error number for reading the usage, for tests.
  init(error: Int32 = UsageCounter.read().error) {
    let absence = error == 0 ? nil : "getrusage: " + System.describe(errorNumber: error)
    super.init(
      [
        Metric.cpuTime, .cpuUser, .cpuSystem, .minorFaults, .majorFaults, .voluntarySwitches, .involuntarySwitches,
        .peakResident,
      ].enumerated().map {
        CountedQuantity(
          metric: $1, lane: $0, form: $1 == .peakResident ? .atEnd : .perOperation, absence: absence)
      })
  }

  /// CPU time of the process up to now, all threads together, and 0 or the error number.
  static func cpuTime() -> (nanoseconds: UInt64, error: Int32) {
    let (usage, error) = read()
    return (usage.cpu_nanoseconds, error)
  }

  private static func read() -> (usage: probe_usage, error: Int32) {
    var usage = probe_usage()
    // The pointer is to a local that outlives the call, and the function only stores numbers there.
    let error = unsafe probe_read_usage(&usage)
    return (usage, error)
  }

  override func read() -> Counts {
    let usage = Self.read().usage
    return Counts(
      usage.cpu_nanoseconds, usage.user_nanoseconds, usage.system_nanoseconds, usage.minor_faults, usage.major_faults,
      usage.voluntary_switches, usage.involuntary_switches, usage.peak_resident_bytes)
  }
}

/// Events of the cores.
final class EventCounter: Counter {
  private let handles: [Int32]

  /// The events that are counted, with their metrics.
  static let hardware: [(event: probe_event, metric: Metric)] = [
    (probe_instructions, .hardwareInstructions), (probe_cycles, .hardwareCycles),
    (probe_branch_misses, .branchMisses), (probe_cache_misses, .cacheMisses),
  ]

  /// Starts to count what this machine can count.
  ///
  /// - Parameters:
  ///   - events: What to count.
  ///   - open: Starts one; a negative result is an error number.
  init(
    _ events: [(event: probe_event, metric: Metric)] = EventCounter.hardware,
    open: (probe_event) -> Int32 = { probe_open_event($0) }
  ) {
    // Loops, as Swift 6.3 crashes when it optimises closures here, before the superclass's initialiser.
    var handles: [Int32] = []
    var quantities: [CountedQuantity] = []
    for (lane, entry) in events.enumerated() {
      let handle = open(entry.event)
      handles.append(handle)
      quantities.append(
        CountedQuantity(
          metric: entry.metric, lane: lane, absence: handle < 0 ? Self.absence(errorNumber: -handle) : nil))
    }
    self.handles = handles
    super.init(quantities)
  }

  /// Why an event can't be counted, in words that say what to do where something can be done.
  static func absence(errorNumber: Int32) -> String {
    let words = "perf_event_open: " + System.describe(errorNumber: errorNumber)
    return switch System.kind(ofErrorNumber: errorNumber) {
    case .missing: "this machine shows no such counter, as in most virtual machines (\(words))"
    case .forbidden: "not permitted: lower /proc/sys/kernel/perf_event_paranoid to 2 (\(words))"
    case .other: words
    }
  }

  override func read() -> Counts {
    var counts = Counts.zero
    for index in handles.indices where handles[index] >= 0 { counts[index] = probe_read_event(handles[index]) }
    return counts
  }
}

/// What the allocator holds, where it is jemalloc.
final class AllocatorCounter: Counter {
  /// - Parameter error: -1 where there is no jemalloc, or its error number, for tests; by default what it says.
  init(error: Int32 = AllocatorCounter.read().error) {
    let absence: String? =
      switch error {
      case 0: nil
      case -1: "jemalloc is not preloaded (gauge run does it where libjemalloc.so.2 is installed)"
      default: "mallctl: " + System.describe(errorNumber: error)
      }
    let quantities: [(Metric, Int, CountedQuantity.Form)] = [
      (.allocatorResident, 0, .atEnd), (.allocatorActive, 1, .atEnd), (.allocatorAllocated, 2, .atEnd),
      (.fragmentation, 1, .quotient(of: 2)),
    ]
    super.init(quantities.map { CountedQuantity(metric: $0.0, lane: $0.1, form: $0.2, absence: absence) })
  }

  private static func read() -> (state: probe_allocator, error: Int32) {
    var state = probe_allocator()
    // The pointer is to a local that outlives the call, and the function only stores numbers there.
    let error = unsafe probe_read_allocator(&state)
    return (state, error)
  }

  override func read() -> Counts {
    let state = Self.read().state
    return Counts(state.resident_bytes, state.active_bytes, state.allocated_bytes, 0, 0, 0, 0, 0)
  }
}

/// System calls, by a process that traces this one.
final class SystemCallCounter: Counter {
  /// Starts to count.
  ///
  /// - Parameter error: Error number of starting, for tests; by default it is tried.
  init(error: Int32 = probe_trace_system_calls()) {
    let words = "ptrace: " + System.describe(errorNumber: error)
    let absence: String? =
      switch System.kind(ofErrorNumber: error) {
      case _ where error == 0: nil
      case .forbidden: "not permitted: another program traces this one, or the container forbids it (\(words))"
      default: words
      }
    super.init([CountedQuantity(metric: .systemCalls, lane: 0, absence: absence)])
  }

  override func read() -> Counts {
    Counts(isCounting ? probe_system_calls() : 0, 0, 0, 0, 0, 0, 0, 0)
  }

  private lazy var isCounting = isPresent
}
