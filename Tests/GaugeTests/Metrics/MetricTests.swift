// The built-in metrics' names, which result files depend on.

import Testing

@testable import Gauge

@Suite struct MetricTests {
  private static let builtIn: [Metric] = [
    .time, .timePerElement, .throughput, .allocations, .frees, .allocatedBytes, .peakHeap, .instructions, .retains,
    .releases,
    .referenceLoop,
    .referenceStores, .referenceMemory, .foreignLoad,
    .latency(percentile: "50"), .latency(percentile: "99.9"), .latency(percentile: "99.99"), .latencyMaximum,
  ]

  @Test func namesAreUniqueAndLowerSnakeCase() {
    #expect(Set(Self.builtIn.map(\.name)).count == Self.builtIn.count)
    for metric in Self.builtIn {
      #expect(metric.name.utf8.allSatisfy { byte in "abcdefghijklmnopqrstuvwxyz0123456789_".utf8.contains(byte) })
    }
  }

  @Test func percentilesAreNamedWithoutPoint() {
    #expect(Metric.latency(percentile: "99.9").name == "latency_p99_9")
    #expect(Metric.latency(percentile: "50").name == "latency_p50")
  }

  @Test func onlyCountsAreExactAndOnlyThroughputIsBetterWhenHigher() {
    #expect(Self.builtIn.filter { $0.kind == .exact } == Metric.heap + Metric.counted)
    #expect(Self.builtIn.filter { $0.polarity == .higher } == [.throughput])
    #expect(Self.builtIn.filter { $0.polarity == .neither } == Metric.machine)
  }
}
