// The shift and its interval against SciPy's test, inverted.

import GaugeStatistics
import Testing

@Suite struct HodgesLehmannTests {
  struct Vector: Decodable {
    var first: [Double]
    var second: [Double]
    var shift: Double
    /// Confidence, lower and upper end; an end is null where the interval is unbounded.
    var intervals: [[Double?]]?
  }

  @Test func agreesWithTheInvertedTestOfSciPy() throws {
    for vector in try vectors("hodges-lehmann", as: [Vector].self) {
      let estimate = HodgesLehmann(vector.first, vector.second)
      #expect(agrees(estimate.shift, vector.shift))
      for row in vector.intervals ?? [] {
        let interval = estimate.interval(confidence: try #require(row[0]))
        #expect(agrees(interval.lower, row[1] ?? -.infinity))
        #expect(agrees(interval.upper, row[2] ?? .infinity))
      }
    }
  }

  @Test func tooFewValuesBoundNothing() {
    #expect(HodgesLehmann([1, 2, 3], [4, 5, 6]).interval(confidence: 0.95) == .unbounded)
    #expect(HodgesLehmann([1, 2, 3, 4], [4, 5, 6, 7]).interval(confidence: 0.95) != .unbounded)
  }

  @Test func largeSamplesUseTheNormalApproximation() {
    let first = (0..<101).map { Double($0) }
    let second = first.map { $0 + 1_000 }
    let large = HodgesLehmann(first, second)
    #expect(large.shift == 1_000)
    let small = HodgesLehmann(Array(first.prefix(100)), Array(second.prefix(100))).interval(confidence: 0.95)
    let interval = large.interval(confidence: 0.95)
    #expect(abs(interval.lower - small.lower) <= 1 && abs(interval.upper - small.upper) <= 1)
  }
}
