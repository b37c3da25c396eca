// Summaries against NumPy and SciPy.

import GaugeStatistics
import Testing

@Suite struct SummaryTests {
  struct Vector: Decodable {
    var sample: [Double]
    var mean: Double
    var standardDeviation: Double
    var median: Double
    var medianAbsoluteDeviation: Double
  }

  @Test func agreesWithNumPyAndSciPy() throws {
    for vector in try vectors("summary", as: [Vector].self) {
      let summary = try #require(Summary(vector.sample))
      #expect(summary.count == vector.sample.count)
      #expect(agrees(summary.mean, vector.mean))
      #expect(agrees(try #require(summary.standardDeviation), vector.standardDeviation))
      #expect(agrees(summary.median, vector.median))
      #expect(agrees(summary.medianAbsoluteDeviation, vector.medianAbsoluteDeviation))
      #expect(summary.min == vector.sample.min() && summary.max == vector.sample.max())
    }
  }

  @Test func oneValueHasNoSpread() throws {
    let summary = try #require(Summary([5]))
    #expect(summary.standardDeviation == nil)
    #expect(summary.medianAbsoluteDeviation == 0 && summary.mean == 5)
  }

  @Test func noValuesHaveNoSummary() {
    #expect(Summary([]) == nil)
  }

  @Test func keepsThePrecisionOfLargeOffsets() throws {
    let values: [Double] = [1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]
    let summary = try #require(Summary(values))
    #expect(agrees(try #require(summary.standardDeviation), 30.0.squareRoot()))
  }
}
