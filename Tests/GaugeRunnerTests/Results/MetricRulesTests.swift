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

  /// The defect: milliseconds of an author's own were counts, and samples a time.
  @Test(
    arguments: [
      ("ns", 1.0), ("ns/op", 1), ("us", 1e3), ("\u{B5}s/op", 1e3), ("\u{3BC}s", 1e3), ("ms/frame", 1e6), ("s", 1e9),
      ("B/s", nil), ("frames/ms", nil), ("1/s", nil),
    ] as [(String, Double?)])
  func timesAndRatesAreKnownByTheirUnits(unit: String, nanoseconds: Double?) {
    let metric = Metric("own", unit: unit)
    #expect(metric.isTime && metric.nanosecondsOfUnit == nanoseconds)
  }

  @Test(arguments: ["", "/", "1", "1/op", "nsamples", "nsamples/op", "msgs", "ops", "items/sample", "s2", "B/op"])
  func otherUnitsAreNotThoseOfTimes(unit: String) {
    #expect(!Metric("own", unit: unit).isTime && Metric("own", unit: unit).nanosecondsOfUnit == nil)
  }
}
