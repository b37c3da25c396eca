// The sign test (Arbuthnott 1710): the plainest test of pairs, by the binomial distribution.

/// A test of whether differences within pairs are as often up as down. It asks nothing of their distribution.
public struct SignTest: Sendable {
  /// Number of differences above 0.
  public let positive: Int
  /// Number of differences other than 0.
  public let count: Int

  /// Counts signs; differences of 0 are left out.
  ///
  /// - Complexity: O(n).
  public init(_ differences: [Double]) {
    positive = differences.count { $0 > 0 }
    count = differences.count { $0 != 0 }
  }

  /// The probability of as uneven signs or more, if both are equally likely.
  ///
  /// - Complexity: O(n).
  public func pValue(_ alternative: MannWhitney.Alternative = .different) -> Double {
    switch alternative {
    case .greater: atLeast(positive)
    case .less: atLeast(count - positive)
    case .different: min(1, 2 * atLeast(max(positive, count - positive)))
    }
  }

  /// P(at least this many of one sign), added up from the smallest share.
  private func atLeast(_ least: Int) -> Double {
    let n = Double(count)
    var sum = 0.0
    for k in stride(from: count, through: least, by: -1) {
      let ways = logGamma(n + 1) - logGamma(Double(k) + 1) - logGamma(n - Double(k) + 1)
      sum += exponential(ways - n * logarithmOfTwo)
    }
    return min(1, sum)
  }
}
