// Latencies in a histogram of tenths of a nanosecond: one nanosecond is too coarse for operations of a few.

import GaugeStatistics

/// Latencies of operations, to three significant digits.
struct LatencyHistogram {
  /// The unit of recording; a tick of today's cycle counters is 0.2 to 0.5 ns.
  private static let unitsPerNanosecond = 10.0
  /// One hour.
  private static let highest: UInt64 = 36_000_000_000_000

  private var histogram = HdrHistogram(highestTrackableValue: Self.highest, significantDigits: 3)

  /// Adds one latency. One that is below zero, because the overhead varies, counts as zero, which is no latency to
  /// report; one above an hour as an hour.
  mutating func record(nanoseconds: Double) {
    let units = (nanoseconds * Self.unitsPerNanosecond).rounded()
    histogram.record(UInt64(min(max(units, 0), Double(Self.highest))))
  }

  /// Adds what another histogram holds.
  mutating func merge(_ other: LatencyHistogram) { histogram.merge(other.histogram) }

  /// Latencies that were recorded.
  var count: Int { Int(histogram.totalCount) }

  /// The longest latency in nanoseconds; `nil` where none was recorded.
  var maximum: Double? { histogram.max.map { Double($0) / Self.unitsPerNanosecond } }

  /// The latency in nanoseconds that `percentile` percent of the operations do not exceed;
  /// `nil` where none was recorded.
  func nanoseconds(atPercentile percentile: Double) -> Double? {
    histogram.valueAtPercentile(percentile).map { Double($0) / Self.unitsPerNanosecond }
  }

  /// Percentiles that are reported, as the field writes them.
  static let percentiles: [(name: String, value: Double)] = [
    ("50", 50), ("90", 90), ("99", 99), ("99.9", 99.9), ("99.99", 99.99),
  ]

  /// The percentiles, and the longest latency, as the metrics that they are here.
  func measurements(percentile: (String) -> Metric, maximum: Metric) -> [Measurement] {
    func measurement(_ metric: Metric, _ nanoseconds: Double?, needed: Int) -> Measurement {
      guard count >= needed, let nanoseconds else {
        return Measurement(metric, .unavailable("needs \(needed) operations, the budget held \(count)"))
      }
      return Measurement(metric, .duration(nanoseconds), iterations: count, samples: count)
    }
    // A percentile needs at least one operation beyond it: below that it would be the maximum under another name.
    let percentiles = Self.percentiles.map { entry in
      measurement(
        percentile(entry.name), nanoseconds(atPercentile: entry.value),
        needed: Int((100 / (100 - entry.value)).rounded()))
    }
    return percentiles + [measurement(maximum, self.maximum, needed: 1)]
  }
}
