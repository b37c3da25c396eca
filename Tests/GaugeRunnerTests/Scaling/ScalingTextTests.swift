// What is said about series of known laws.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ScalingTextTests {
  private func series(_ axis: String, _ metric: Metric, _ points: [(Double, Double)]) -> ScalingSeries {
    ScalingSeries(
      title: "a", axis: axis, metric: metric, points: points.map { ScalingSeries.Point(size: $0.0, value: $0.1) })
  }

  @Test func `a line is told with its factor and its base`() {
    let points = [(1.0, 12.01), (10, 29.97), (100, 210.2), (1000, 2009)]
    #expect(
      scalingText([series("n", .time, points)]) == """
        a: time over n
          n=1  12.0 ns
          n=10  30.0 ns
          n=100  210 ns
          n=1000  2.01 µs
          grows as n: 2.00 ns · n + 10.0 ns, within ±0.081 %
          95 % interval of the factor: 1.99 ns to 2.01 ns

        """)
  }

  @Test func `threads have contention and coherence`() {
    let points = [1.0, 2, 4, 8].map { ($0, 1e6 * $0 / (1 + 0.1 * ($0 - 1) + 0.02 * $0 * ($0 - 1))) }
    let text = scalingText([series("threads", .throughput, points)])
    #expect(text.contains("universal scalability law: λ = 1.00 M/s"))
    #expect(text.contains("contention σ = 0.100 [") && text.contains("coherence κ = 0.020 ["))
    #expect(text.contains("most at 6.71 threads"))
  }

  @Test func `too few places are not fitted`() {
    #expect(scalingText([series("n", .time, [(1, 1), (2, 2)])]).contains("no fit: needs 4 sizes"))
    #expect(
      scalingText([series("threads", .throughput, [(1, 1), (2, 2)])]).contains("no fit: needs 4 numbers of threads"))
  }
}
