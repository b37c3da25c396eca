// The laws that series bear out, as curves; their words are in ScalingTextTests.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ScalingLawTests {
  private func series(_ axis: String, _ metric: Metric, _ points: [(Double, Double)]) -> ScalingSeries {
    ScalingSeries(
      title: "a", axis: axis, metric: metric, points: points.map { ScalingSeries.Point(size: $0.0, value: $0.1) })
  }

  @Test func `a curve goes through the points of its law`() throws {
    let line = try #require(ScalingLaw(series("n", .time, [1.0, 10, 100, 1000].map { ($0, 10 + 2 * $0) })))
    #expect(abs(line.value(50) - 110) < 1e-6)
    let flat = try #require(ScalingLaw(series("n", .time, [1.0, 10, 100, 1000].map { ($0, 7) })))
    #expect(abs(flat.value(50) - 7) < 1e-9 && flat.summary.hasPrefix("grows as 1: 7.00 ns"))
  }

  @Test func `threads follow the universal scalability law`() throws {
    let law = { (threads: Double) in 1e6 * threads / (1 + 0.1 * (threads - 1) + 0.02 * threads * (threads - 1)) }
    let points = [1.0, 2, 4, 8].map { ($0, law($0)) }
    let fitted = try #require(ScalingLaw(series("threads", .throughput, points)))
    #expect(abs(fitted.value(6) / law(6) - 1) < 1e-6)
    #expect(fitted.summary.hasPrefix("universal scalability law"))
  }

  @Test func `what can't be fitted says what it needs`() {
    let short = series("threads", .throughput, [(1, 1), (2, 2)])
    #expect(ScalingLaw(short) == nil)
    #expect(ScalingLaw.need(of: short) == "no fit: needs 4 numbers of threads and values above 0")
    #expect(ScalingLaw(series("n", .time, [(1, 0), (2, 1), (3, 2), (4, 3)])) == nil)
  }
}
