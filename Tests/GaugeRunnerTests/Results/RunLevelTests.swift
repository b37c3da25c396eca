// What the launches of a row come to.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct RunLevelTests {
  private func level(_ metric: Metric, _ values: [Double]) throws -> RunLevel {
    var results = Results.run()
    results.add(metric, values)
    let rows = try #require(MeasuredRows.grouped(results)[results.rows[0].key])
    return try #require(RunLevel(rows))
  }

  @Test func theFastestHasTheSmallestTimeOrTheLargestRate() throws {
    let values = (1...21).map(Double.init).shuffled()
    let time = try level(.time, values)
    #expect(time == RunLevel(launches: 21, fast: 1, slow: 16))
    let rate = try level(.bandwidth, values)
    #expect(rate.fast == 21 && abs(rate.slow - 6) < 1e-9)
  }

  /// One launch of no time at all, as a pre-empted calibration gives it, decides nothing.
  @Test func oneOddLaunchDecidesNothing() throws {
    let values = [100, 101, 100.5, 102, 101, 100, 100.2, 101, 100.7, 100.3, 101, 102, 100.1, 100.4, 100.6]
    #expect(try level(.time, values + [0]).fast == 100)
    #expect(try level(.time, values + [49.9]).fast == 100)
    #expect(try level(.time, values + [50.1]).fast == 50.1)
    #expect(try level(.bandwidth, values + [204.1]).fast == 102)
    #expect(try level(.bandwidth, values + [203.9]).fast == 203.9)
    // Two odd ones are no longer odd, and of two launches nothing tells which one is.
    #expect(try level(.time, values + [0, 0]).fast == 0)
    #expect(try level(.time, [1, 9]).fast == 1)
    #expect(try level(.bandwidth, [1, 9]).fast == 9)
  }

  @Test func costsRiseWithTimesAndFallWithRates() {
    let level = RunLevel(launches: 5, fast: 0.2, slow: exp(1))
    #expect(level.cost(.slow, isRate: false, resolution: 0.5) == 1)
    #expect(level.cost(.slow, isRate: true, resolution: 0.5) == -1)
    #expect(level.cost(.fast, isRate: false, resolution: 0.5) == log(0.5))
    #expect(RunLevel(launches: 5, fast: 0, slow: -3).cost(.slow, isRate: false, resolution: 0).isFinite)
  }
}
