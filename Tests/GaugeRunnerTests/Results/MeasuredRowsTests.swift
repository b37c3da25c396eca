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

  /// Launch by launch: a time, and the loop of stores beside it.
  private func rows(_ launches: [(time: Double, stores: Double)], calmStores: Double? = nil) throws -> MeasuredRows {
    var results = Results.run()
    results.add(.time, launches.map(\.time))
    results.add(.referenceStores, launches.map(\.stores))
    let key = results.rows[0].key
    for index in results.rows.indices { results.rows[index].sequence = results.rows[index].launch }
    return try #require(MeasuredRows.grouped(results, calmStores: calmStores)[key])
  }

  @Test func launchesBesideANeighbourAreNotCalm() throws {
    let disturbed = [(61.0, 0.38), (63, 0.44), (70, 0.36), (66, 0.41), (67, 0.5), (72, 0.39), (75, 0.37)]
    let calm = [(41.0, 0.2739), (42, 0.2734), (43, 0.2744)]
    #expect(try rows(disturbed + calm).calm == [41, 42, 43])
    #expect(try rows(disturbed + calm).values.count == 10)
    #expect(try rows(disturbed + disturbed + disturbed + calm).calm == [41, 42, 43])
    // Of two calm ones nothing can be told.
    #expect(try rows(disturbed + calm.dropLast()).calm.count == 9)
    // A run that was disturbed throughout doesn't know it by itself: another one has to tell.
    #expect(try rows(disturbed).calm == [61, 70, 72, 75])
    #expect(try rows(disturbed, calmStores: 0.27).calm.count == 7)
    #expect(try rows(calm + calm, calmStores: 0.2).calm.count == 6)
    #expect(try rows(calm + [(90, 0.38)], calmStores: 0.27).calm == [41, 42, 43])
  }

  /// The defect: of 38 launches of an operation of 29 ms three were calm, as far as the loops beside them told, and had
  /// taken 31, 38 and 43 ms: what came and went between two turns of a loop.
  @Test func whereHardlyAnyLaunchWasCalmTheOthersAreInDoubt() throws {
    let disturbed = [(61.0, 0.38), (63, 0.44), (70, 0.36), (66, 0.41)]
    let calm = [(41.0, 0.2739), (42, 0.2734), (43, 0.2744)]
    let doubtful = try rows(disturbed + disturbed + disturbed + calm)
    #expect(doubtful.calm == [41, 42, 43] && doubtful.unseenDisturbance == 0.8)
    #expect(try rows(disturbed + disturbed + calm).unseenDisturbance == 0)
    // Too few to be told apart: all are in doubt, and all are taken.
    let all = try rows(disturbed + disturbed + calm.dropLast())
    #expect(all.calm.count == 10 && all.unseenDisturbance == 0.8)
  }

  @Test func withoutTheLoopEveryLaunchIsCalm() throws {
    let rows = try rows { $0.add(.time, [1, 9, 5]) }
    #expect(rows.calm == [1, 9, 5])
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

  /// An exact count of 0 was worse at 1e-12, which was printed as 0.
  @Test func whatASubtractionLeavesOfACountIsNothing() throws {
    #expect(try rows { $0.add(.allocations, [1e-12, 0, -1e-12]) }.values == [0, 0, 0])
    #expect(try rows { $0.add(Metric("own", unit: "B", kind: .exact), [1e-12]) }.values == [0])
    #expect(try rows { $0.add(.allocations, [1e-8]) }.values == [1e-8])
    // As a share of a second it may be all that there is, and what isn't exact is judged by its scatter.
    #expect(try rows { $0.add(Metric("own", unit: "s", kind: .exact), [1e-12]) }.values == [1e-12])
    #expect(try rows { $0.add(.time, [1e-12]) }.values == [1e-12])
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
