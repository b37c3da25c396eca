// Tests of equivalence against statsmodels and SciPy.

import GaugeStatistics
import Testing

@Suite struct TwoOneSidedTestsTests {
  struct Vector: Decodable {
    var first: [Double]
    var second: [Double]
    var threshold: Double
    var welch: Double
    var ranks: Double
  }

  @Test func agreesWithStatsmodelsAndSciPy() throws {
    for vector in try vectors("equivalence", as: [Vector].self) {
      let welch = try #require(TwoOneSidedTests.welch(vector.first, vector.second, threshold: vector.threshold))
      #expect(agrees(welch, vector.welch, within: 1e-9))
      let ranks = TwoOneSidedTests.ranks(
        vector.first, vector.second, threshold: vector.threshold, method: .asymptotic)
      #expect(agrees(ranks, vector.ranks, within: 1e-9))
    }
  }

  @Test func pairsWithinTheThresholdAreEquivalent() {
    let differences = (0..<20).map { Double($0) / 10 - 1 }
    #expect(TwoOneSidedTests.signedRanks(differences, threshold: 2) < 1e-5)
    #expect(TwoOneSidedTests.signedRanks(differences, threshold: 0.01) > 0.3)
  }
}
