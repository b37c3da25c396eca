// Benjamini and Hochberg's procedure against statsmodels.

import GaugeStatistics
import Testing

@Suite struct BenjaminiHochbergTests {
  @Test func agreesWithStatsmodels() throws {
    for vector in try vectors("benjamini-hochberg", as: [HolmTests.Vector].self) {
      for (value, reference) in zip(BenjaminiHochberg.adjusted(vector.pValues), vector.adjusted) {
        #expect(agrees(value, reference))
      }
    }
  }

  @Test func noTestsNeedNoAdjustment() {
    #expect(BenjaminiHochberg.adjusted([]).isEmpty)
  }
}
