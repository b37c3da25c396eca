// Latency of operations that start on a fixed schedule, counted from the moments of the schedule: an operation that
// starts late because the one before took long has waited, as a request would have. So a stall shows in all operations
// that it delays, not in one (Gil Tene, "How NOT to Measure Latency": no coordinated omission).

/// When operations are to start, and what becomes of them.
///
/// Schedules are pure state machines, so that tests can play the clock.
protocol Schedule {
  /// The moment at which the next operation is to start, perhaps one that has passed, or `nil` when enough is known.
  ///
  /// - Parameter now: The current time in ticks.
  mutating func nextStart(now: UInt64) -> UInt64?
  /// Takes the moment at which an operation was to start, and the time at which it ended.
  mutating func record(from start: UInt64, to end: UInt64)
}

/// A schedule of operations at a constant rate, and their latencies.
///
/// The schedule is as long as the budget, and all its operations run, also those that a stall at its end delays.
struct OpenLatencySampler: Schedule {
  /// How many times the budget a schedule may take that the operations can't keep up with.
  static let longestOverrun = 4.0

  private let nanosecondsPerTick: Double
  private let ticksPerOperation: Double
  private let overhead: Double
  private let budget: Double
  private var isWarm = false
  /// The first moment of the schedule, in ticks; the warm-up has a schedule of its own.
  private var began: UInt64?
  /// Operations of the schedule that have ended.
  private var ended = 0
  /// Nanoseconds from the first moment of the schedule to the end of its last operation.
  private var spent = 0.0
  /// Latencies after warm-up, overhead subtracted.
  private(set) var latencies = LatencyHistogram()

  /// - Parameters:
  ///   - budget: Measuring time in nanoseconds; warm-up takes a tenth of it or one operation, whichever is longer.
  ///   - rate: Operations per second.
  ///   - nanosecondsPerTick: Length of a tick of the readings.
  ///   - overhead: Nanoseconds to subtract from each latency.
  init(budget: Double, rate: Double, nanosecondsPerTick: Double, overhead: Double) {
    self.budget = budget
    self.nanosecondsPerTick = nanosecondsPerTick
    self.overhead = overhead
    ticksPerOperation = 1e9 / rate / nanosecondsPerTick
  }

  mutating func nextStart(now: UInt64) -> UInt64? {
    let offset = Double(ended) * ticksPerOperation
    if isWarm, ended > 0 {
      if offset * nanosecondsPerTick >= budget || spent >= budget * Self.longestOverrun { return nil }
    }
    let first = began ?? now
    began = first
    return first &+ UInt64(offset.rounded())
  }

  mutating func record(from start: UInt64, to end: UInt64) {
    guard let began else { return }
    ended += 1
    spent = Double(end &- began) * nanosecondsPerTick
    if isWarm {
      latencies.record(nanoseconds: Double(end &- start) * nanosecondsPerTick - overhead)
    } else if spent >= budget / 10 {
      isWarm = true
      self.began = nil
      ended = 0
      spent = 0
    }
  }

  /// Operations per second that the schedule came to; `nil` before its first operation. One that ends before the next
  /// is due takes the whole of its time on the schedule.
  var rate: Double? {
    guard ended > 0 else { return nil }
    return Double(ended) * 1e9 / max(spent, Double(ended) * ticksPerOperation * nanosecondsPerTick)
  }

  /// The quantities that the schedule tells.
  func measurements() -> [Measurement] {
    let outcome = rate.map(Measurement.Outcome.value) ?? .unavailable("the budget held no operation")
    return latencies.measurements(percentile: Metric.openLatency(percentile:), maximum: .openLatencyMaximum)
      + [Measurement(.openLoopRate, outcome, iterations: latencies.count, samples: latencies.count)]
  }
}
