// Changes as people read them.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct ChangeTextTests {
  @Test func changesArePercentagesWithIntervals() {
    func text(_ scale: Change.Scale, _ value: Double, _ interval: Interval, _ metric: Metric = .time) -> String {
      changeText(Change(scale: scale, estimate: Estimate(value, interval)), of: metric)
    }
    #expect(text(.ratio, 1.123, Interval(1.101, 1.146)) == "+12.3 % [+10.1, +14.6]")
    #expect(text(.ratio, 0.877, Interval(0.854, 0.899)) == "-12.3 % [-14.6, -10.1]")
    #expect(text(.ratio, 1.5, Interval(0, .infinity)) == "+50.0 %")
    #expect(text(.ratio, 25, Interval(24, 26)) == "×25.0 [×24.0, ×26.0]")
    #expect(text(.ratio, 2, Interval(2, 2)) == "+100.0 %")
    #expect(text(.difference, 1, Interval(1, 1), .allocations) == "+1")
    #expect(text(.difference, -16, Interval(-16, -16), .allocatedBytes) == "-16 B")
    #expect(text(.difference, 0, Interval(0, 0), .allocations) == "0")
    #expect(text(.difference, 0.2, Interval(-0.1, 0.5)) == "+0.200 ns [-0.100, +0.500]")
  }

  @Test func whatASubtractionLeavesOfEqualValuesIsNoChange() {
    let rest = Change(scale: .difference, estimate: Estimate(-2.84e-14, Interval(-2.84e-14, 1e-15)))
    #expect(changeText(rest, of: .allocatedBytes) == "0 B [0, 0]")
  }
}
