// The signed-rank distribution against Wilcoxon's published critical values.

import GaugeStatistics
import Testing

@Suite struct SignedRankDistributionTests {
  /// Two-sided 5 % and 1 % values as printed in Wilcoxon and Wilcox, "Some Rapid Approximate Statistical Procedures".
  @Test(arguments: [(6, 0, -1), (8, 3, 0), (10, 8, 3), (12, 13, 7), (15, 25, 15), (20, 52, 37), (25, 89, 68)])
  func criticalValuesAreThePublishedOnes(n: Int, fivePercent: Int, onePercent: Int) {
    let distribution = SignedRankDistribution(n)
    #expect(distribution.lowerCriticalValue(0.025) == fivePercent)
    #expect(distribution.lowerCriticalValue(0.005) == onePercent)
  }

  /// Ranks in another order have the same distribution, but are counted anew each time.
  @Test func whatWasCountedOnceIsTheSameAgain() {
    let ranks = (1...13).map { 2 * $0 }
    let anew = SignedRankDistribution(doubledRanks: ranks.reversed())
    for _ in 1...2 {
      let kept = SignedRankDistribution(doubledRanks: ranks)
      #expect((0...91).allSatisfy { kept.cumulative(Double($0)) == anew.cumulative(Double($0)) })
    }
    #expect(SignedRankDistribution(12).cumulative(39) != anew.cumulative(39))
  }

  @Test func sharesAddUpToOne() {
    let distribution = SignedRankDistribution(150)
    #expect(distribution.cumulative(-1) == 0)
    #expect(abs(distribution.cumulative(150 * 151 / 2) - 1) < 1e-12)
    #expect(agrees(SignedRankDistribution(10).cumulative(0), 1 / 1024))
  }
}
