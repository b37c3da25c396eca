// Welch's t test for two samples of unequal variance (Biometrika 34, 1947).

/// The difference of two means with its test and interval.
public struct Welch: Sendable {
  /// Mean of the second sample minus mean of the first.
  public let difference: Double
  /// Standard error of the difference.
  public let standardError: Double
  /// Degrees of freedom by Welch and Satterthwaite.
  public let degreesOfFreedom: Double

  /// Compares two samples.
  ///
  /// - Returns: The comparison, or `nil` if a sample has fewer than two values or neither varies.
  /// - Complexity: O(m log m + n log n).
  public init?(_ first: [Double], _ second: [Double]) {
    guard let a = Summary(first), let b = Summary(second),
      let deviationA = a.standardDeviation, let deviationB = b.standardDeviation
    else { return nil }
    let varianceA = deviationA * deviationA / Double(a.count)
    let varianceB = deviationB * deviationB / Double(b.count)
    let variance = varianceA + varianceB
    guard variance > 0 else { return nil }
    difference = b.mean - a.mean
    standardError = variance.squareRoot()
    degreesOfFreedom =
      variance * variance
      / (varianceA * varianceA / Double(a.count - 1) + varianceB * varianceB / Double(b.count - 1))
  }

  /// The t statistic.
  public var t: Double { difference / standardError }

  /// The two-sided p-value of no difference.
  public var pValue: Double { 2 * StudentDistribution(degreesOfFreedom: degreesOfFreedom).cumulative(-abs(t)) }

  /// The confidence interval of the difference.
  public func interval(confidence: Double) -> Interval {
    let reach = StudentDistribution(degreesOfFreedom: degreesOfFreedom).quantile(0.5 + confidence / 2) * standardError
    return Interval(difference - reach, difference + reach)
  }
}
