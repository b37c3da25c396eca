// Latencies in a histogram of tenths of a nanosecond: one nanosecond is too coarse for operations of a few.

import GaugeStatistics

/// Latencies of operations, to three significant digits.
struct LatencyHistogram {
  /// The unit of recording; a tick of today's cycle counters is 0.2 to 0.5 ns.
  private static let unitsPerNanosecond = 10.0
  /// One hour.
  private static let highest: UInt64 = 36_000_000_000_000

  private var histogram = HdrHistogram(highestTrackableValue: Self.highest, significantDigits: 3)

  /// Adds one latency. One that is below zero, because the overhead varies, counts as zero; one above an hour as an hour.
  mutating func record(nanoseconds: Double) {
    let units = (nanoseconds * Self.unitsPerNanosecond).rounded()
    histogram.record(UInt64(min(max(units, 0), Double(Self.highest))))
  }

  /// Latencies that were recorded.
  var count: Int { Int(histogram.totalCount) }

  /// The longest latency in nanoseconds; `nil` where none was recorded.
  var maximum: Double? { histogram.max.map { Double($0) / Self.unitsPerNanosecond } }

  /// The latency in nanoseconds that `percentile` percent of the operations do not exceed; `nil` where none was recorded.
  func nanoseconds(atPercentile percentile: Double) -> Double? {
    histogram.valueAtPercentile(percentile).map { Double($0) / Self.unitsPerNanosecond }
  }
}
