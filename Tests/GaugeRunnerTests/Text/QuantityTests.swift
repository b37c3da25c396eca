// Numbers as people read them.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct QuantityTests {
  @Test(arguments: [
    (12.34, "12.3 ns"), (0, "0 ns"), (0.0423, "0.042 ns"), (1_204, "1.20 µs"), (999.7, "1.00 µs"),
    (45_600_000, "45.6 ms"), (3.2e9, "3.20 s"), (-0.25, "-0.250 ns"), (-3e-7, "0.000 ns"),
  ])
  func scalesTimes(value: Double, text: String) {
    #expect(quantity(value, of: .time) == text)
    #expect(quantity(value, of: .latencyMaximum) == text)
  }

  @Test(arguments: [(45_600_000.0, "45.6 M/s"), (1_200, "1.20 k/s"), (12, "12.0 /s"), (2.5e9, "2.50 G/s")])
  func scalesRates(value: Double, text: String) {
    #expect(quantity(value, of: .throughput) == text)
  }

  @Test func bytesAreNamed() {
    #expect(quantity(1.5e9, of: .bandwidth) == "1.50 GB/s")
    #expect(quantity(12_345_678, of: .bandwidth) == "12.3 MB/s")
    #expect(quantity(999, of: .bandwidth) == "999 B/s")
    #expect(quantity(12_345_678, of: .peakResident) == "12.3 MB")
    #expect(quantity(12, of: .allocatorActive) == "12.0 B")
  }

  /// The defect: 1200 MB/s read 1.20 k/s, and 2000 nsamples 2.00 µs.
  @Test func anAuthorsOwnUnitsAreKept() {
    #expect(quantity(1200, of: Metric("copied", unit: "MB/s", polarity: .higher)) == "1200 MB/s")
    #expect(quantity(12.34, of: Metric("answered", unit: "requests/s")) == "12.3 requests/s")
    #expect(quantity(12_000, of: .openLoopRate) == "12.0 k/s")
    #expect(quantity(2000, of: Metric("shots", unit: "nsamples")) == "2000 nsamples")
    #expect(quantity(1e-12, of: Metric("activity", unit: "Bq")) == "1e-12 Bq")
    #expect(commonUnit(for: [1, 2000], of: Metric("copied", unit: "MB/s"))?.name == "MB/s")
  }

  @Test func keepsExactCountsWhole() {
    #expect(quantity(1.000001, of: .allocations) == "1.000001")
    #expect(quantity(123_456_789, of: .allocations) == "123456789")
    #expect(quantity(48, of: .allocatedBytes) == "48 B")
    #expect(quantity(0, of: .allocations) == "0")
    #expect(quantity(1.0 / 3, of: Metric("depth", unit: "frames")) == "0.333 frames")
  }

  @Test func whatASubtractionLeavesOfEqualValuesIsNothing() {
    #expect(quantity(-2.84e-14, of: .allocatedBytes) == "0 B")
    #expect(quantity(2.84e-14, of: .allocations) == "0")
    #expect(quantity(1e-10, of: .time) == "0 ns")
    // One in a million is something, and so is what an author counts in a unit of his own.
    #expect(quantity(1e-6, of: .allocations) == "1e-06")
    #expect(quantity(1e-12, of: Metric("risk", unit: "deaths")) == "1e-12 deaths")
  }

  @Test func smallChangesKeepADigit() {
    #expect(percentChange(1) == "0 %")
    #expect(percentChange(1.000001) == "+0.0001 %")
    #expect(percentChange(0.9997) == "-0.03 %")
    #expect(percentChange(1.001) == "+0.1 %")
  }

  @Test func numbersHaveThreeDigits() {
    #expect(
      [0, 1234.5, 123.4, 12.34, 1.234, 0.1234, 0.01234].map(digits) == [
        "0", "1234", "123", "12.3", "1.23", "0.123", "0.012",
      ])
    #expect([99.96, 9.996, 0.99996].map(digits) == ["100", "10.0", "1.00"])
    #expect(digits(1.234e-6) == "1.23e-06")
  }

  @Test func aColumnHasOneUnitWhereItsValuesAreNear() {
    func name(_ values: [Double], _ metric: Metric = .time) -> String? { commonUnit(for: values, of: metric)?.name }
    #expect(name([12, 820, 13_000]) == "ns")
    #expect(name([800, 9_000, 40_000]) == "µs")
    #expect(name([0, 45e6]) == "ms")
    #expect(name([12, 45e6]) == nil)
    #expect(name([]) == "ns")
    #expect(name([8e7, 5e6], .throughput) == "M/s")
    #expect(name([48, 1e9], .allocatedBytes) == "B")
    #expect(name([1, 1e9], .allocations) == "")
  }

  @Test(arguments: [
    (3.0, "3"), (1_000_000.0, "1000000"), (1.0 / 3, "0.333"), (12.345, "12.3"), (1234.5, "1234"),
    (1.000001, "1.000001"),
    (41.99999, "41.99999"), (0.0, "0"),
  ]) func aCountIsShortAndNeverReadsAsAWholeNumberThatItIsNot(value: Double, text: String) {
    #expect(shortCount(value) == text)
  }
}
