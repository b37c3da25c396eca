// What a metric's name tells.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct MetricRulesTests {
  @Test func readsPercentilesAndTimesFromMetrics() {
    #expect(latencyPercentile(of: Metric.latency(percentile: "99.9").name) == 99.9)
    #expect(latencyPercentile(of: Metric.latency(percentile: "50").name) == 50)
    #expect(latencyPercentile(of: Metric.openLatency(percentile: "99.9").name) == 99.9)
    #expect(latencyPercentile(of: Metric.latencyMaximum.name) == nil)
    #expect(latencyPercentile(of: Metric.openLoopRate.name) == nil)
    #expect(Metric.time.isTime && Metric.throughput.isTime && Metric.latencyMaximum.isTime)
    #expect(!Metric.allocations.isTime && !Metric.allocatedBytes.isTime)
  }
}
