// The null distribution of the Mann-Whitney U statistic, from the Gaussian binomial coefficients that count it.

/// How often each value of U occurs when two samples of given sizes without ties come from one distribution.
///
/// The number of orderings with U = u is the coefficient of q^u in the Gaussian binomial coefficient
/// (m + n choose m)_q = product over i = 1...m of (1 - q^(n + i)) / (1 - q^i). Each factor is applied to the power
/// series in place; a coefficient depends only on lower ones, so the small counts in the tails stay exact integers.
public struct MannWhitneyDistribution: Sendable {
  /// Size of the first sample.
  public let m: Int
  /// Size of the second sample.
  public let n: Int
  /// `tail[u]` = P(U <= u) for u up to half of m·n.
  private let tail: [Double]

  /// The largest m·n for which the distribution is computed. Beyond it the normal approximation is off by up to 5e-4
  /// for two samples of 100, by up to 6e-3 where one has five values; in the tails below 2.5 % it errs to the large
  /// side.
  public static let largestProduct = 10_000

  /// Counts the orderings.
  ///
  /// - Parameters:
  ///   - m: Size of the first sample, at least 1.
  ///   - n: Size of the second sample, at least 1, with m·n at most `largestProduct`.
  /// - Complexity: O(min(m, n) · m · n).
  public init(_ m: Int, _ n: Int) {
    precondition(m > 0 && n > 0 && m * n <= Self.largestProduct, "sizes must be positive and their product limited")
    self.m = m
    self.n = n
    let half = m * n / 2
    let (small, large) = (min(m, n), max(m, n))
    var ways = [Double](repeating: 0, count: half + 1)
    ways[0] = 1
    var all = 1.0
    for i in 1...small {
      all *= Double(large + i) / Double(i)
      for u in stride(from: half, through: large + i, by: -1) { ways[u] -= ways[u - large - i] }
      for u in stride(from: i, through: half, by: 1) { ways[u] += ways[u - i] }
    }
    var sum = 0.0
    tail = ways.map { count in
      sum += count
      return sum / all
    }
  }

  /// P(U <= u).
  public func cumulative(_ u: Int) -> Double {
    if u < 0 { return 0 }
    return u < tail.count ? tail[u] : 1 - cumulative(m * n - u - 1)
  }

  /// The largest u with P(U <= u) not above a probability below 1/2, or -1 if even U = 0 is more likely.
  ///
  /// - Complexity: O(log(m · n)).
  public func lowerCriticalValue(_ probability: Double) -> Int {
    var (low, high) = (-1, tail.count - 1)
    while low < high {
      let middle = (low + high + 1) >> 1
      if tail[middle] <= probability { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
