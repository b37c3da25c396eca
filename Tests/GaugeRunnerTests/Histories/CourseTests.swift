// What a series has lost since its best time.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CourseTests {
  func course(_ values: [Double], of metric: Metric = .allocations) throws -> Course {
    let history = try History.of(
      values.map { value in
        var results = Results.run()
        results.add(metric, [value])
        return results
      })
    return Course.all(of: HistorySeries.all(of: history))[0]
  }

  @Test func `changes are those of the series`() throws {
    let course = try course([2, 2, 3])
    #expect(course.changes == course.series.changes && course.changes.map(\.index) == [2])
  }

  @Test func `what is worse than it was for a while is a loss`() throws {
    #expect(try course([4, 2, 2, 3, 5]).loss == Course.Loss(index: 1, best: 2, now: 5))
    #expect(try course([4, 2, 2, 3, 5]).loss?.magnitude == 1.5)
    // The last time that it was best.
    #expect(try course([2, 3, 2, 4]).loss == Course.Loss(index: 2, best: 2, now: 4))
    #expect(try course([0, 3]).loss?.magnitude == .infinity)
    let more = Metric("elements", unit: "1/op", polarity: .higher, kind: .exact)
    #expect(try course([2, 4, 3], of: more).loss == Course.Loss(index: 1, best: 4, now: 3))
  }

  @Test func `what is as good as ever is none`() throws {
    #expect(try course([2, 2, 2]).loss == nil)
    #expect(try course([2, 3, 2]).loss == nil)
    #expect(try course([3, 2]).loss == nil)
  }
}
