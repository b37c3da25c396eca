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

  @Test func fastLaunchesAreTheSmallTimesAndTheLargeRates() throws {
    let values = (1...21).map(Double.init).shuffled()
    let time = try level(.time, values)
    #expect(time == RunLevel(launches: 21, fast: 5, slow: 16))
    let rate = try level(.bandwidth, values)
    #expect(abs(rate.fast - 17) < 1e-9 && abs(rate.slow - 6) < 1e-9)
  }

  /// One launch of no time at all, as a pre-empted calibration gives it, decides nothing.
  @Test func oneOddLaunchDecidesNothing() throws {
    let values = [100, 101, 100.5, 102, 101, 100, 100.2, 101, 100.7, 100.3, 101, 102, 100.1, 100.4, 100.6]
    #expect(abs(try level(.time, values + [0]).fast / level(.time, values + [101]).fast - 1) < 0.005)
  }

  @Test func costsRiseWithTimesAndFallWithRates() {
    let level = RunLevel(launches: 5, fast: 0.2, slow: exp(1))
    #expect(level.cost(.slow, isRate: false, resolution: 0.5) == 1)
    #expect(level.cost(.slow, isRate: true, resolution: 0.5) == -1)
    #expect(level.cost(.fast, isRate: false, resolution: 0.5) == log(0.5))
    #expect(RunLevel(launches: 5, fast: 0, slow: -3).cost(.slow, isRate: false, resolution: 0).isFinite)
  }
}
