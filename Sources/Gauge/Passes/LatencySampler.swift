// Latency of single operations, each between two clock readings, as percentiles of a histogram.

/// Operations timed one by one until the budget is used.
struct LatencySampler: Sampler {
  /// Operations that a launch times even where they overrun the budget.
  static let fewestOperations = 5
  /// How many times the budget the fewest operations may take; beyond it there are fewer, but one at least.
  static let longestOverrun = 4.0

  private let nanosecondsPerTick: Double
  private let overhead: Double
  private let budget: Double
  private var isWarm = false
  /// Start of the first operation of the warm-up, then of the measuring, in ticks.
  private var began: UInt64?
  /// Nanoseconds since then, with what lies between the operations.
  private var spent = 0.0
  /// Latencies after warm-up, overhead subtracted.
  private(set) var latencies = LatencyHistogram()

  /// - Parameters:
  ///   - budget: Measuring time in nanoseconds; warm-up takes a tenth of it or one operation, whichever is longer.
  ///   - nanosecondsPerTick: Length of a tick of the readings.
  ///   - overhead: Ticks to subtract from each latency.
  init(budget: Double, nanosecondsPerTick: Double, overhead: Double) {
    self.budget = budget
    self.nanosecondsPerTick = nanosecondsPerTick
    self.overhead = overhead
  }

  func nextCount() -> Int? {
    let count = latencies.count
    if count > 0, spent >= budget * Self.longestOverrun { return nil }
    if count >= Self.fewestOperations, spent >= budget { return nil }
    return 1
  }

  mutating func record(from start: UInt64, to end: UInt64) {
    let first = began ?? start
    began = first
    spent = Double(end &- first) * nanosecondsPerTick
    if isWarm {
      latencies.record(nanoseconds: (Double(end &- start) - overhead) * nanosecondsPerTick)
    } else if spent >= budget / 10 {
      isWarm = true
      began = nil
      spent = 0
    }
  }

  /// The quantities that the histogram tells.
  func measurements() -> [Measurement] {
    latencies.measurements(percentile: Metric.latency(percentile:), maximum: .latencyMaximum)
  }
}
