// The normal distribution against SciPy.

import GaugeStatistics
import Testing

@Suite struct NormalDistributionTests {
  @Test func agreesWithSciPy() throws {
    let reference = try vectors("distributions", as: DistributionVectors.self)
    for row in reference.normal { #expect(agrees(NormalDistribution.cumulative(row[0]), row[1], within: 1e-12)) }
    for row in reference.normalQuantile {
      #expect(agrees(NormalDistribution.quantile(row[0]), row[1], within: 1e-13), "p = \(row[0])")
    }
  }

  @Test func endsAreInfinite() {
    #expect(NormalDistribution.quantile(0) == -.infinity)
    #expect(NormalDistribution.quantile(1) == .infinity)
  }
}

struct DistributionVectors: Decodable {
  var normal: [[Double]]
  var normalQuantile: [[Double]]
  var student: [[Double]]
  var studentQuantile: [[Double]]
  var incompleteBeta: [[Double]]
  var logGamma: [[Double]]
}
