// The Hodges-Lehmann estimate for pairs (1963) with the interval that inverts the signed-rank test (Tukey).

/// By how much the second values of pairs lie above the first: the median of the means of every two differences.
public struct PairedShift: Sendable {
  /// Walsh's averages, in rising order.
  private let averages: [Double]
  private let n: Int

  /// Takes the differences.
  ///
  /// - Parameter differences: Second minus first of each pair, not empty.
  /// - Complexity: O(n² log n).
  public init(_ differences: [Double]) {
    precondition(!differences.isEmpty, "a shift needs a pair")
    n = differences.count
    averages = differences.indices.flatMap { i in
      differences[i...].map { (differences[i] + $0) / 2 }
    }.sorted()
  }

  /// The estimate of the shift.
  public var shift: Double { median(ofSorted: averages) }

  /// The shifts that a two-sided signed-rank test does not reject.
  ///
  /// Exact up to `SignedRankDistribution.largestSize` pairs, so that it covers at least as often as it says for
  /// symmetric differences; by the normal approximation above.
  ///
  /// - Parameters:
  ///   - confidence: Wanted coverage, for example 0.95.
  ///   - distribution: The distribution for this number of pairs, if the caller has it already.
  /// - Returns: The interval, unbounded where there are too few pairs for the confidence.
  public func interval(confidence: Double, distribution: SignedRankDistribution? = nil) -> Interval {
    precondition(confidence > 0 && confidence < 1, "a confidence must be between 0 and 1")
    let tail = (1 - confidence) / 2
    let critical: Int
    if n <= SignedRankDistribution.largestSize {
      critical = (distribution ?? SignedRankDistribution(n)).lowerCriticalValue(tail)
    } else {
      let size = Double(n)
      let deviation = (size * (size + 1) * (2 * size + 1) / 24).squareRoot()
      critical = Int((size * (size + 1) / 4 + NormalDistribution.quantile(tail) * deviation - 0.5).rounded(.down))
    }
    guard critical >= 0 else { return .unbounded }
    return Interval(averages[critical], averages[averages.count - 1 - critical])
  }
}
