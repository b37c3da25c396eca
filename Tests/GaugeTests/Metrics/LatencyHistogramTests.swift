// The histogram's unit and ends.

import Testing

@testable import Gauge

@Suite struct LatencyHistogramTests {
  @Test func emptyHasNoValues() {
    let histogram = LatencyHistogram()
    #expect(histogram.count == 0)
    #expect(histogram.maximum == nil)
    #expect(histogram.nanoseconds(atPercentile: 50) == nil)
  }

  @Test func tenthsOfANanosecondAreKept() {
    var histogram = LatencyHistogram()
    for latency in [0.4, 3.14, 6.06] { histogram.record(nanoseconds: latency) }
    #expect(histogram.nanoseconds(atPercentile: 1) == 0.4)
    #expect(histogram.nanoseconds(atPercentile: 50) == 3.1)
    #expect(histogram.maximum == 6.1)
  }

  @Test(arguments: [1e3, 123_456, 9.87e8, 3.5e12])
  func threeDigitsAreKept(latency: Double) throws {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: latency)
    histogram.record(nanoseconds: latency * 1000)
    let median = try #require(histogram.nanoseconds(atPercentile: 50))
    #expect(abs(median / latency - 1) < 1e-3)
  }

  @Test func beyondTheEndsIsTheEnd() {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: -3)
    #expect(histogram.maximum == 0)
    histogram.record(nanoseconds: .infinity)
    #expect(histogram.maximum == 3.6e12)
    #expect(histogram.count == 2)
  }
}
