// What the harness itself costs, measured in each launch with nothing to measure.

import GaugeStatistics

/// Batches of one operation, for the fixed part of the overhead.
struct OverheadSampler: Sampler {
  /// Batches to take; enough that a median is steady, and over in a fraction of a millisecond.
  static let batches = 10_001

  /// Ticks of each batch.
  private(set) var ticks: [Double] = []

  init() {
    ticks.reserveCapacity(Self.batches)
  }

  func nextCount() -> Int? { ticks.count < Self.batches ? 1 : nil }

  mutating func record(from start: UInt64, to end: UInt64) {
    ticks.append(Double(end &- start))
  }

  /// Ticks that one empty operation takes with everything around it: the median over many.
  static func ticksOfEmptyOperation(_ clock: TickClock) -> Double {
    let batches = TimedBatches(OverheadSampler(), clock: clock)
    batches.runEmpty()
    return median(of: batches.sampler(as: OverheadSampler.self).ticks)
  }
}

extension TimingOverhead {
  /// Nanoseconds of empty batches that are as long as a benchmark's: together a few milliseconds.
  private static let budget = 8_000_000.0

  /// Measures the overhead of timed batches in this process.
  static func calibrate() -> TimingOverhead {
    // Nothing is never long: what takes long was a wait, and one or two samples with it would be a wrong overhead.
    let batches = TimedBatches(TimeSampler(budget: budget, longestOverrun: .infinity), clock: .monotonic)
    batches.runEmpty()
    let sampler = batches.sampler(as: TimeSampler.self)
    let single = OverheadSampler.ticksOfEmptyOperation(.monotonic)
    // A batch of n takes f + n·p, a batch of one takes f + p.
    let perOperation = (median(of: sampler.samples) - single) / Double(max(1, sampler.count - 1))
    return TimingOverhead(perSample: single - perOperation, perOperation: perOperation)
  }
}
