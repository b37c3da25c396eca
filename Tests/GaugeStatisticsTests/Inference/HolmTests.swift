// Holm's procedure against statsmodels.

import GaugeStatistics
import Testing

@Suite struct HolmTests {
  struct Vector: Decodable {
    var pValues: [Double]
    var adjusted: [Double]
  }

  @Test func agreesWithStatsmodels() throws {
    for vector in try vectors("holm", as: [Vector].self) {
      for (value, reference) in zip(Holm.adjusted(vector.pValues), vector.adjusted) {
        #expect(agrees(value, reference))
      }
    }
  }

  @Test func noTestsNeedNoAdjustment() {
    #expect(Holm.adjusted([]).isEmpty)
  }
}
