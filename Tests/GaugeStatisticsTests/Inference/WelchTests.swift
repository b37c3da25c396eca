// Welch's test against SciPy.

import GaugeStatistics
import Testing

@Suite struct WelchTests {
  struct Vector: Decodable {
    var first: [Double]
    var second: [Double]
    var t: Double
    var degreesOfFreedom: Double
    var pValue: Double
    var interval: [Double]
  }

  @Test func agreesWithSciPy() throws {
    for vector in try vectors("welch", as: [Vector].self) {
      let welch = try #require(Welch(vector.first, vector.second))
      #expect(agrees(welch.t, vector.t))
      #expect(agrees(welch.degreesOfFreedom, vector.degreesOfFreedom))
      #expect(agrees(welch.pValue, vector.pValue))
      let interval = welch.interval(confidence: 0.95)
      #expect(agrees(interval.lower, vector.interval[0], within: 1e-9))
      #expect(agrees(interval.upper, vector.interval[1], within: 1e-9))
    }
  }

  @Test func withoutSpreadThereIsNoTest() {
    #expect(Welch([1], [2, 3]) == nil)
    #expect(Welch([1, 1], [2, 2]) == nil)
    #expect(Welch([1, 1], [2, 3]) != nil)
  }
}
