// Sequential boundaries against published tables, and the error that they keep.

import GaugeStatistics
import Testing

@Suite struct AlphaSpendingTests {
  /// Two-sided 5 %, five equal looks, as tabled for the programs of Reboussin, DeMets, Kim and Lan (1992).
  @Test(arguments: [
    (AlphaSpending.Function.obrienFleming, [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
    (.pocock, [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
  ])
  func boundariesAreThePublishedOnes(function: AlphaSpending.Function, published: [Double]) {
    let spending = AlphaSpending(looks: [0.2, 0.4, 0.6, 0.8, 1], error: 0.05, function: function)
    for (boundary, expected) in zip(spending.boundaries, published) { #expect(abs(boundary - expected) < 2e-3) }
  }

  @Test func oneLookSpendsEverything() {
    let spending = AlphaSpending(looks: [1], error: 0.01)
    #expect(agrees(spending.levels[0], 0.01, within: 1e-9))
  }

  /// Ranks of made-up launches, looked at as `gauge ab` does: twenty pairs and more, up to 150.
  @Test func lookingOftenKeepsTheError() {
    let looks = [20, 30, 45, 68, 100, 150]
    let levels = AlphaSpending(looks: looks.map { Double($0) / 150 }, error: 0.05).levels
    var generator = Xoshiro256(seed: 5)
    var rejected = 0
    for _ in 0..<1_000 {
      let differences = (0..<150).map { _ in NormalDistribution.quantile(generator.unit() + 0x1p-54) }
      let rejects = zip(looks, levels).contains { look, level in
        SignedRank(Array(differences.prefix(look)), exact: false).pValue() <= level
      }
      if rejects { rejected += 1 }
    }
    // Fifty are expected; seventy-five would be three and a half standard deviations more.
    #expect((20...75).contains(rejected), "\(rejected)")
  }
}
