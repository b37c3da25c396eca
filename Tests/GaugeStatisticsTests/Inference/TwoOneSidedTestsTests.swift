// A test of equivalence.

import GaugeStatistics
import Testing

@Suite struct TwoOneSidedTestsTests {
  @Test func pairsWithinTheThresholdAreEquivalent() {
    let differences = (0..<20).map { Double($0) / 10 - 1 }
    #expect(TwoOneSidedTests.signedRanks(differences, threshold: 2) < 1e-5)
    #expect(TwoOneSidedTests.signedRanks(differences, threshold: 0.01) > 0.3)
  }
}
