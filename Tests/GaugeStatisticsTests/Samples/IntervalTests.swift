// Intervals and estimates.

import GaugeStatistics
import Testing

@Suite struct IntervalTests {
  @Test func containsItsEnds() {
    let interval = Interval(-1, 2)
    #expect(interval.contains(-1) && interval.contains(2) && interval.contains(0))
    #expect(!interval.contains(2.01) && !interval.contains(-1.01))
    #expect(Interval.unbounded.contains(1e300))
  }

  @Test func movesAndWidens() {
    #expect(Interval(1, 2).widened(by: 0.5) == Interval(0.5, 2.5))
    #expect(Interval(1, 2).shifted(by: -1) == Interval(0, 1))
    #expect(Interval(1, 2).mapped { $0 * $0 } == Interval(1, 4))
    #expect(Interval.unbounded.widened(by: 1) == .unbounded)
  }

  @Test func exactEstimateHasNoWidth() {
    #expect(Estimate.exact(3) == Estimate(3, Interval(3, 3)))
  }

  @Test func refusesEndsInTheWrongOrder() async {
    await #expect(processExitsWith: .failure) { _ = Interval(2, 1) }
  }
}
