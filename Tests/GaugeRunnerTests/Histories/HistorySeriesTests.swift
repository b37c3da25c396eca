// Series of a history: which runs belong together, and where they changed.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct HistorySeriesTests {
  /// A history with a run per value.
  func history(_ metric: Metric, _ values: [Double], machine: (Int) -> String = { _ in "a1" }) throws -> History {
    try History.of(
      values.enumerated().map { index, value in
        var results = Results.run(machine: machine(index))
        results.add(metric, metric.kind == .exact ? [value] : [value * 0.99, value, value * 1.01])
        return results
      })
  }

  @Test func `every other count is a change`() throws {
    let series = HistorySeries.all(of: try history(.allocations, [2, 2, 3, 3, 0]))
    #expect(series.count == 1)
    #expect(
      series[0].changes == [
        HistorySeries.Change(index: 2, before: 2, after: 3, verdict: .worse),
        HistorySeries.Change(index: 4, before: 3, after: 0, verdict: .better),
      ])
  }

  @Test func `a step of times is found, noise is not`() throws {
    var noise = Noise(seed: 2)
    let quiet = noise.launches(30, around: 100, spread: 0.01)
    #expect(HistorySeries.all(of: try history(.time, quiet))[0].changes.isEmpty)
    let stepped = quiet.enumerated().map { $0 < 18 ? $1 : $1 * 1.05 }
    let changes = HistorySeries.all(of: try history(.time, stepped))[0].changes
    #expect(changes.map(\.index) == [18])
    #expect(changes.map(\.verdict) == [.worse])
  }

  @Test func `times of two machines are two series, counts are one`() throws {
    let machine = { (index: Int) in index.isMultiple(of: 2) ? "a1" : "a2" }
    #expect(HistorySeries.all(of: try history(.time, [1, 2, 1, 2], machine: machine)).map(\.entries.count) == [2, 2])
    #expect(HistorySeries.all(of: try history(.allocations, [1, 1, 1], machine: machine)).map(\.entries.count) == [3])
  }

  @Test func `of two toolchains each has its own series where that is asked for`() throws {
    let history = try History.of(
      (0..<4).map { number in
        var results = Results.run()
        results.environment.append(("toolchain", number < 3 ? "Swift 6.2" : "Swift 6.3"))
        results.add(.allocations, [number < 3 ? 1 : 2])
        return results
      })
    #expect(HistorySeries.all(of: history).map(\.changes.count) == [1])
    let series = HistorySeries.all(of: history, byToolchain: true)
    #expect(series.map(\.toolchain) == ["Swift 6.2", "Swift 6.3"] && series.map(\.machine) == ["", ""])
    #expect(series.map(\.entries.count) == [3, 1] && series.allSatisfy { $0.changes.isEmpty })
  }

  @Test func `short series say nothing`() throws {
    let series = HistorySeries.all(of: try history(.time, [1, 1, 9, 9, 9]))[0]
    #expect(!series.isLongEnough)
    #expect(series.changes.isEmpty)
  }
}
