// The universal scalability law against SciPy's non-negative least squares, and on throughputs of a known law.

import GaugeStatistics
import Testing

@Suite struct ScalabilityFitTests {
  struct Vector: Decodable {
    var points: [[Double]]
    var rate: [Double]
    var contention: [Double]
    var coherence: [Double]
    var error: Double
  }

  private func agree(_ estimate: Estimate, _ reference: [Double]) -> Bool {
    agrees(estimate.value, reference[0], within: 1e-8) && agrees(estimate.interval.lower, reference[1], within: 1e-6)
      && agrees(estimate.interval.upper, reference[2], within: 1e-6)
  }

  @Test func agreesWithSciPy() throws {
    for vector in try vectors("scalability", as: [Vector].self) {
      let fit = try #require(ScalabilityFit(vector.points.map { ($0[0], $0[1]) }))
      #expect(agree(fit.rate, vector.rate), "\(fit.rate)")
      #expect(agree(fit.contention, vector.contention), "\(fit.contention)")
      #expect(agree(fit.coherence, vector.coherence), "\(fit.coherence)")
      #expect(agrees(fit.error, vector.error, within: 1e-8))
    }
  }

  @Test func aKnownLawIsFound() throws {
    let points = [1.0, 2, 3, 4, 6, 8].map { threads in
      (threads, 1e6 * threads / (1 + 0.1 * (threads - 1) + 0.02 * threads * (threads - 1)))
    }
    let fit = try #require(ScalabilityFit(points))
    #expect(agrees(fit.rate.value, 1e6, within: 1e-9))
    #expect(agrees(fit.contention.value, 0.1, within: 1e-9))
    #expect(agrees(fit.coherence.value, 0.02, within: 1e-9))
    #expect(agrees(try #require(fit.peak), (0.9 / 0.02).squareRoot(), within: 1e-8))
    for (threads, throughput) in points { #expect(agrees(fit.throughput(of: threads), throughput, within: 1e-9)) }
  }

  @Test func perfectScalingHasNoPeak() throws {
    let fit = try #require(ScalabilityFit([(1, 10), (2, 20.2), (4, 40.1), (8, 80.9)]))
    #expect(fit.contention == .exact(0) && fit.coherence == .exact(0))
    #expect(fit.peak == nil)
  }

  @Test func tooFewNumbersOfThreadsSayNothing() {
    #expect(ScalabilityFit([(1, 10), (2, 20), (3, 30), (3, 31)]) == nil)
    #expect(ScalabilityFit([(1, 10), (2, 20), (3, 30), (4, 0)]) == nil)
  }
}
