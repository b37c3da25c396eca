// A sample in seven numbers, with Welford's one-pass mean and variance (Technometrics 4, 1962).

/// Size, location, spread and range of a sample.
public struct Summary: Hashable, Sendable {
  /// Number of values.
  public let count: Int
  /// Arithmetic mean.
  public let mean: Double
  /// Standard deviation with divisor n - 1; `nil` for a single value.
  public let standardDeviation: Double?
  /// Median.
  public let median: Double
  /// Median absolute deviation from the median, not scaled: multiply by 1.4826 to estimate a normal standard deviation.
  public let medianAbsoluteDeviation: Double
  /// Smallest value.
  public let min: Double
  /// Largest value.
  public let max: Double

  /// Summarises a sample.
  ///
  /// - Returns: The summary, or `nil` for an empty sample.
  /// - Complexity: O(n log n).
  public init?(_ sample: [Double]) {
    guard !sample.isEmpty else { return nil }
    var mean = 0.0
    var squares = 0.0
    for (index, value) in sample.enumerated() {
      let deviation = value - mean
      mean += deviation / Double(index + 1)
      squares += deviation * (value - mean)
    }
    let sorted = sample.sorted()
    let middle = GaugeStatistics.median(ofSorted: sorted)
    count = sample.count
    self.mean = mean
    standardDeviation = count > 1 ? (squares / Double(count - 1)).squareRoot() : nil
    median = middle
    medianAbsoluteDeviation = GaugeStatistics.median(of: sample.map { abs($0 - middle) })
    min = sorted[0]
    max = sorted[count - 1]
  }
}
