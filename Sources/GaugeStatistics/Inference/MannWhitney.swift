// The Mann-Whitney U test (Mann and Whitney 1947), exact for small samples, by the normal approximation with ties else.

/// A test of whether values of one sample tend to be larger than those of another.
public struct MannWhitney: Sendable {
  /// The hypothesis that a small p-value speaks for.
  public enum Alternative: Sendable {
    /// The second sample lies elsewhere than the first, on either side.
    case different
    /// The second sample tends to be larger.
    case greater
    /// The second sample tends to be smaller.
    case less
  }

  /// Which null distribution is used.
  public enum Method: Sendable {
    /// Exact without ties and for m·n up to `MannWhitneyDistribution.largestProduct`, else asymptotic.
    case automatic
    /// The distribution without ties. Ties between the samples count one half; ties only narrow the true distribution,
    /// so that the p-value errs to the large side.
    case exact
    /// The normal approximation with continuity correction and the variance corrected for ties.
    case asymptotic
  }

  /// Number of pairs whose member of the second sample is the larger, ties counted one half.
  public let u: Double
  /// Size of the first sample.
  public let m: Int
  /// Size of the second sample.
  public let n: Int
  /// Sum over groups of t equal values of t^3 - t.
  private let tieTerm: Double
  private let distribution: MannWhitneyDistribution?

  /// Compares two samples.
  ///
  /// - Parameters:
  ///   - first: A sample in rising order, not empty, without NaN.
  ///   - second: Another, not empty.
  ///   - method: Which null distribution is used.
  ///   - distribution: The exact distribution for these sizes, if the caller has it already.
  /// - Complexity: O(m + n), and once for the exact distribution O(min(m, n) · m · n).
  public init(
    sorted first: [Double], _ second: [Double], method: Method = .automatic,
    distribution: MannWhitneyDistribution? = nil
  ) {
    precondition(!first.isEmpty && !second.isEmpty, "both samples need a value")
    precondition(first.allSatisfy { !$0.isNaN } && second.allSatisfy { !$0.isNaN }, "NaN has no rank")
    m = first.count
    n = second.count
    var (i, j) = (0, 0)
    var statistic = 0.0
    var ties = 0.0
    while i < m || j < n {
      let value = j == n ? first[i] : i == m ? second[j] : min(first[i], second[j])
      let below = i
      while i < m, first[i] == value { i += 1 }
      let start = j
      while j < n, second[j] == value { j += 1 }
      statistic += Double(j - start) * (Double(below) + Double(i - below) / 2)
      let group = Double(i - below + j - start)
      ties += group * (group * group - 1)
    }
    u = statistic
    tieTerm = ties
    let exact =
      switch method {
      case .automatic: ties == 0 && m * n <= MannWhitneyDistribution.largestProduct
      case .exact: true
      case .asymptotic: false
      }
    self.distribution = exact ? distribution ?? MannWhitneyDistribution(m, n) : nil
  }

  /// Compares two samples in any order.
  ///
  /// - Complexity: O((m + n) log (m + n)), and for the exact distribution O(min(m, n) · m · n).
  public init(_ first: [Double], _ second: [Double], method: Method = .automatic) {
    self.init(sorted: first.sorted(), second.sorted(), method: method)
  }

  /// The probability of a statistic at least as extreme, if both samples come from one distribution.
  public func pValue(_ alternative: Alternative = .different) -> Double {
    switch alternative {
    case .greater: upperTail(u)
    case .less: upperTail(Double(m * n) - u)
    case .different: min(1, 2 * upperTail(max(u, Double(m * n) - u)))
    }
  }

  /// P(U >= u), with half-integer values of u taken down, to the side of the larger p-value.
  private func upperTail(_ u: Double) -> Double {
    let pairs = Double(m * n)
    if let distribution { return distribution.cumulative(Int((pairs - u).rounded(.up))) }
    let total = Double(m + n)
    let variance = pairs / 12 * (total + 1 - tieTerm / (total * (total - 1)))
    guard variance > 0 else { return 1 }
    return NormalDistribution.cumulative(-(u - pairs / 2 - 0.5) / variance.squareRoot())
  }
}
