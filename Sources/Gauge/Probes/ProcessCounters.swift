// Counters of this process: references, resources, events of the core, the allocator's state, system calls. Each says
// why where it can't count here.

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
  /// Where the numbers come from, so that tests can give others; each with 0 or the error number.
  struct Source {
    /// What the process has used.
    var usage: () -> (usage: probe_usage, error: Int32) = UsageCounter.readUsage
    /// What is resident of it, and was at most.
    var memory: () -> (memory: probe_memory, error: Int32) = UsageCounter.readMemory
    /// Lets that peak begin anew.
    var forgetPeak: () -> Int32 = { probe_forget_peak_memory() }
  }

  private let source: Source
  /// The peak up to the last mark, and what was resident then.
  private var peak: UInt64 = 0
  private var resident: UInt64 = 0
  /// The last error numbers of readings, 0 where there was none.
  private var errors: (usage: Int32, memory: Int32, peak: Int32) = (0, 0, 0)

  init(source: Source = Source()) {
    self.source = source
    let usage = Self.absence("getrusage", source.usage().error)
    let (state, error) = source.memory()
    let memory = Self.absence("/proc/self/status", error)
    peak = state.peak_bytes
    let growth = memory ?? Self.absence("/proc/self/clear_refs", source.forgetPeak())
    super.init(
      [
        Metric.cpuTime, .cpuUser, .cpuSystem, .minorFaults, .majorFaults, .voluntarySwitches, .involuntarySwitches,
      ].enumerated().map { CountedQuantity(metric: $1, lane: $0, absence: usage) } + [
        CountedQuantity(metric: .peakResident, lane: 7, form: .atEnd, absence: memory),
        CountedQuantity(metric: .residentGrowth, lane: 8, form: .atEnd, absence: growth),
      ])
  }

  private static func absence(_ what: String, _ error: Int32) -> String? {
    error == 0 ? nil : what + ": " + System.describe(errorNumber: error)
  }

  /// CPU time of the process up to now, all threads together, and 0 or the error number.
  static func cpuTime() -> (nanoseconds: UInt64, error: Int32) {
    let (usage, error) = readUsage()
    return (usage.cpu_nanoseconds, error)
  }

  private static func readUsage() -> (usage: probe_usage, error: Int32) {
    var usage = probe_usage()
    // The pointer is to a local that outlives the call, and the function only stores numbers there.
    let error = unsafe probe_read_usage(&usage)
    return (usage, error)
  }

  private static func readMemory() -> (memory: probe_memory, error: Int32) {
    var memory = probe_memory()
    // The pointer is to a local that outlives the call, and the function only stores numbers there.
    let error = unsafe probe_read_memory(&memory)
    return (memory, error)
  }

  override func markPeak() {
    peak = max(peak, memory().peak_bytes)
    let error = source.forgetPeak()
    if error != 0 { errors.peak = error }
    resident = memory().resident_bytes
  }

  private func memory() -> probe_memory {
    let (memory, error) = source.memory()
    if error != 0 { errors.memory = error }
    return memory
  }

  override func failure(ofLane lane: Int) -> String? {
    switch lane {
    case ..<7: Self.absence("getrusage", errors.usage)
    case 7: Self.absence("/proc/self/status", errors.memory)
    default: Self.absence("/proc/self/status", errors.memory) ?? Self.absence("/proc/self/clear_refs", errors.peak)
    }
  }

  override func read() -> Counts {
    let (usage, error) = source.usage()
    if error != 0 { errors.usage = error }
    let now = memory().peak_bytes
    var counts = Counts(
      usage.cpu_nanoseconds, usage.user_nanoseconds, usage.system_nanoseconds, usage.minor_faults, usage.major_faults,
      usage.voluntary_switches, usage.involuntary_switches, max(peak, now))
    // What is resident is told a little behind the peak.
    counts[8] = now - min(now, resident)
    return counts
  }
}

/// Events of the cores.
final class EventCounter: Counter {
  private let handles: [Int32]
  /// Reads what a handle counts, with 0 or the error number.
  private let readEvent: (Int32) -> (total: UInt64, error: Int32)
  /// The last error number of each event, 0 where there was none.
  private var errors: SIMD8<Int32> = .zero

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
  ///   - read: Reads what one counts, by the result of opening it, with 0 or the error number.
  init(
    _ events: [(event: probe_event, metric: Metric)] = EventCounter.hardware,
    open: (probe_event) -> Int32 = { probe_open_event($0) },
    read: @escaping (Int32) -> (total: UInt64, error: Int32) = EventCounter.readEvent
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
    readEvent = read
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
    for index in handles.indices where handles[index] >= 0 {
      let (total, error) = readEvent(handles[index])
      counts[index] = total
      if error != 0 { errors[index] = error }
    }
    return counts
  }

  private static func readEvent(_ handle: Int32) -> (total: UInt64, error: Int32) {
    var total: UInt64 = 0
    // The pointer is to a local that outlives the call, and the function only stores a number there.
    let error = unsafe probe_read_event(handle, &total)
    return (total, error)
  }

  override func failure(ofLane lane: Int) -> String? {
    switch errors[lane] {
    case 0: nil
    case -1: "the core had no counter free for the event"
    default: "reading the event: " + System.describe(errorNumber: errors[lane])
    }
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

  private var error: Int32 = 0

  override func failure(ofLane lane: Int) -> String? {
    error == 0 ? nil : "mallctl: " + System.describe(errorNumber: error)
  }

  override func read() -> Counts {
    let (state, error) = Self.read()
    if error != 0 { self.error = error }
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

  override func failure(ofLane lane: Int) -> String? {
    let error = isCounting ? probe_tracing_error() : 0
    return error == 0 ? nil : "the process that counts the calls ended (\(System.describe(errorNumber: error)))"
  }

  private lazy var isCounting = isPresent
}
