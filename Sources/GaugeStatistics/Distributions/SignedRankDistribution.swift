// The null distribution of Wilcoxon's signed-rank statistic, counted over all signs, ties included.

/// How often each sum of positive ranks occurs when every difference is as likely up as down.
///
/// All 2^n signs are counted by adding one rank after the other to a table of sums. Ranks of ties are halves of whole
/// numbers, so that the table is kept over doubled ranks; without ties it is Wilcoxon's own distribution.
public struct SignedRankDistribution: Sendable {
  /// `tail[s]` = P(doubled sum <= s).
  private let tail: [Double]

  /// The largest number of ranks for which the distribution is counted.
  public static let largestSize = 200

  /// Those without ties of up to a hundred differences, by their number: 3 MB, counted one after the other when the
  /// first is asked for.
  private static let untied: [SignedRankDistribution] = {
    var signs = Signs()
    var distributions = [SignedRankDistribution(signs)]
    for rank in 1...100 {
      signs.add(2 * rank)
      distributions.append(SignedRankDistribution(signs))
    }
    return distributions
  }()

  /// Counts the signs.
  ///
  /// - Parameter doubledRanks: Twice the rank of each absolute difference, at most `largestSize` of them.
  /// - Complexity: O(n³) for n ranks; O(n) for up to a hundred without ties, which are counted once.
  public init(doubledRanks: [Int]) {
    precondition(doubledRanks.count <= Self.largestSize, "too many ranks to count their signs")
    precondition(doubledRanks.allSatisfy { $0 > 0 }, "ranks must be positive")
    let n = doubledRanks.count
    if n < Self.untied.count, doubledRanks.indices.allSatisfy({ doubledRanks[$0] == 2 * ($0 + 1) }) {
      self = Self.untied[n]
    } else {
      var signs = Signs()
      for rank in doubledRanks { signs.add(rank) }
      self.init(signs)
    }
  }

  private init(_ signs: Signs) {
    var below = 0.0
    tail = signs.shares.map { share in
      below += share
      return below
    }
  }

  /// The share of all choices of signs that has each doubled sum.
  private struct Signs {
    var shares = [1.0]

    /// Adds a rank. Halving at each keeps shares between 0 and 1 where counts would overflow.
    mutating func add(_ rank: Int) {
      shares += repeatElement(0, count: rank)
      var sum = shares.count - 1
      while sum >= rank {
        shares[sum] = (shares[sum] + shares[sum - rank]) / 2
        sum -= 1
      }
      while sum >= 0 {
        shares[sum] /= 2
        sum -= 1
      }
    }
  }

  /// The distribution for n differences without ties.
  public init(_ n: Int) { self.init(doubledRanks: (0..<n).map { 2 * ($0 + 1) }) }

  /// P(sum of positive ranks <= sum), with full relative precision in the lower tail.
  public func cumulative(_ sum: Double) -> Double {
    let doubled = Int((2 * sum).rounded(.down))
    if doubled < 0 { return 0 }
    return doubled < tail.count ? min(1, tail[doubled]) : 1
  }

  /// The largest whole sum with P(sum of positive ranks <= sum) not above a probability below
  /// 1/2, or -1 if there is none.
  public func lowerCriticalValue(_ probability: Double) -> Int {
    var sum = -1
    while 2 * (sum + 1) < tail.count, tail[2 * (sum + 1)] <= probability { sum += 1 }
    return sum
  }
}
