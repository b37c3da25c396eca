// The names of the open loop's metrics, which tell them from those of the closed loop.

import Testing

@testable import Gauge

@Suite struct OpenLoopMetricsTests {
  @Test func openAndClosedLoopAreToldApart() {
    let open = Metric.openLatency(percentile: "99.9")
    #expect(open.name == "open_latency_p99_9")
    #expect(open.unit == "ns" && open.polarity == .lower && open.kind == .sampled)
    #expect(Metric.openLatencyMaximum.name == "open_" + Metric.latencyMaximum.name)
  }

  @Test func aHigherRateIsBetter() {
    #expect(Metric.openLoopRate.polarity == .higher)
    #expect(Metric.openLoopRate.unit == "1/s")
  }
}
