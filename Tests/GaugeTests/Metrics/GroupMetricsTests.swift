// Names and polarities of the scores of groups.

import Testing

@testable import Gauge

@Suite struct GroupMetricsTests {
  @Test func scoresAreNamedAfterTheirGroup() {
    #expect(Metric.time(ofGroup: "readers") == Metric("time_readers", unit: "ns/op"))
    #expect(
      Metric.throughput(ofGroup: "readers")
        == Metric("throughput_readers", unit: "elements/s", polarity: .higher))
    #expect(Metric.latencyMaximum.of(group: "readers").name == "latency_max_readers")
  }
}
