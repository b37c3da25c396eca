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

  /// Counts the signs.
  ///
  /// - Parameter doubledRanks: Twice the rank of each absolute difference, at most `largestSize` of them.
  /// - Complexity: O(n³) for n ranks.
  public init(doubledRanks: [Int]) {
    precondition(doubledRanks.count <= Self.largestSize, "too many ranks to count their signs")
    precondition(doubledRanks.allSatisfy { $0 > 0 }, "ranks must be positive")
    var shares = [Double](repeating: 0, count: doubledRanks.reduce(1, +))
    shares[0] = 1
    var reach = 0
    // Halving at every rank keeps shares between 0 and 1 where counts would overflow.
    for rank in doubledRanks {
      reach += rank
      for sum in stride(from: reach, through: 0, by: -1) {
        shares[sum] = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2
      }
    }
    var below = 0.0
    tail = shares.map { share in
      below += share
      return below
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

  /// The largest whole sum with P(sum of positive ranks <= sum) not above a probability below 1/2, or -1 if there is none.
  public func lowerCriticalValue(_ probability: Double) -> Int {
    var sum = -1
    while 2 * (sum + 1) < tail.count, tail[2 * (sum + 1)] <= probability { sum += 1 }
    return sum
  }
}
