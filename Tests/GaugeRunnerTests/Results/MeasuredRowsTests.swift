// Rows by key.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct MeasuredRowsTests {
  private func rows(_ make: (inout Results) -> Void) throws -> MeasuredRows {
    var results = Results.run()
    make(&results)
    return try #require(MeasuredRows.grouped(results).values.first)
  }

  @Test func ordersLaunchesByTime() throws {
    let rows = try rows { results in
      results.add(.time, [3, 1, 2])
      results.rows.reverse()
    }
    #expect(rows.values == [3, 1, 2])
    #expect(rows.unavailable == nil)
  }

  @Test func keepsReasonsAndLeavesOutWhatIsNoNumber() throws {
    let rows = try rows { results in
      results.add(.time, [.nan, 4])
      results.add(.time, unavailable: "no clock")
    }
    #expect(rows.values == [4])
    #expect(rows.unavailable == "measured nan")
  }

  @Test func keepsKeysApart() {
    var results = Results.run()
    results.add(.time, [1], parameters: "n=1")
    results.add(.time, [2], parameters: "n=2")
    results.add(.allocations, [3], parameters: "n=2")
    #expect(MeasuredRows.grouped(results).count == 3)
  }

  @Test func repeatingValuesAreExact() throws {
    let repeating = try rows { $0.add(.allocations, [2, 2, 2 * (1 + 1e-12)]) }
    #expect(repeating.repeats && repeating.estimate(confidence: 0.95) == .exact(2))
    let scattered = try rows { $0.add(.allocations, [2, 2, 2.000001]) }
    #expect(!scattered.repeats)
    #expect(MeasuredRows.equal(0, 0) && !MeasuredRows.equal(0, 1e-12))
  }

  @Test func estimatesTheMedianWithItsInterval() throws {
    let rows = try rows { $0.add(.time, [1, 2, 3, 4, 100]) }
    let estimate = try #require(rows.estimate(confidence: 0.95))
    #expect(estimate.value == 3)
    #expect(estimate.interval.lower >= 1 && estimate.interval.upper <= 100)
    #expect(estimate.interval.lower < 3 && estimate.interval.upper > 3)
  }

  @Test func withoutValuesThereIsNoEstimate() throws {
    let rows = try rows { $0.add(.allocations, unavailable: "no hooks") }
    #expect(rows.estimate(confidence: 0.95) == nil)
    #expect(rows.unavailable == "no hooks")
  }
}
