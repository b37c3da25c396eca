// Wilcoxon's signed-rank test for pairs (Biometrics Bulletin 1, 1945), exact also with ties.

/// A test of whether differences within pairs tend to one side of 0.
public struct SignedRank: Sendable {
  /// Sum of the ranks of positive differences; equal sizes share their mean rank, differences of 0 are left out.
  public let positiveSum: Double
  /// Number of differences other than 0.
  public let count: Int
  private let tieTerm: Double
  private let distribution: SignedRankDistribution?

  /// Ranks the differences.
  ///
  /// - Parameters:
  ///   - differences: Second minus first of each pair, without NaN.
  ///   - exact: Whether all signs are counted where they are at most `SignedRankDistribution.largestSize`; otherwise
  ///     the normal approximation with continuity correction and the variance corrected for ties is used.
  /// - Complexity: O(n log n), and O(n³) for counting.
  public init(_ differences: [Double], exact: Bool = true) {
    precondition(differences.allSatisfy { !$0.isNaN }, "NaN has no rank")
    let ordered = differences.filter { $0 != 0 }.sorted { abs($0) < abs($1) }
    var doubledRanks: [Int] = []
    var positive = 0
    var ties = 0.0
    var start = 0
    while start < ordered.count {
      var end = start
      while end < ordered.count, abs(ordered[end]) == abs(ordered[start]) { end += 1 }
      let doubled = start + end + 1
      for index in start..<end {
        doubledRanks.append(doubled)
        if ordered[index] > 0 { positive += doubled }
      }
      let group = Double(end - start)
      ties += group * (group * group - 1)
      start = end
    }
    count = ordered.count
    positiveSum = Double(positive) / 2
    tieTerm = ties
    distribution =
      exact && count <= SignedRankDistribution.largestSize ? SignedRankDistribution(doubledRanks: doubledRanks) : nil
  }

  /// The probability of a statistic at least as extreme, if differences are as likely up as down.
  public func pValue(_ alternative: MannWhitney.Alternative = .different) -> Double {
    let all = Double(count * (count + 1)) / 2
    return switch alternative {
    case .greater: upperTail(positiveSum)
    case .less: upperTail(all - positiveSum)
    case .different: min(1, 2 * upperTail(max(positiveSum, all - positiveSum)))
    }
  }

  /// P(sum >= sum), by the symmetry of the distribution from its lower tail.
  private func upperTail(_ sum: Double) -> Double {
    guard count > 0 else { return 1 }
    let n = Double(count)
    if let distribution { return distribution.cumulative(n * (n + 1) / 2 - sum) }
    let variance = (n * (n + 1) * (2 * n + 1) - tieTerm / 2) / 24
    return NormalDistribution.cumulative(-(sum - n * (n + 1) / 4 - 0.5) / variance.squareRoot())
  }
}
