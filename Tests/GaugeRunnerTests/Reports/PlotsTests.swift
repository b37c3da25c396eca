// The reports' plots.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct PlotsTests {
  @Test func `both sides are drawn, launch by launch`() {
    let sides = [
      PlottedSide(name: "before", style: "base", values: [1, 2, 3]),
      PlottedSide(name: "after", style: "new", values: [2, 3, 4, 5]),
    ]
    let launches = launchPlot(sides, of: .time)
    #expect(launches.components(separatedBy: "<circle class=\"base\"").count == 4)
    #expect(launches.components(separatedBy: "<circle class=\"new\"").count == 5)
    let distribution = distributionPlot(sides, of: .time)
    #expect(distribution.components(separatedBy: "<polygon class=\"area").count == 3)
    #expect(distribution.contains("<title>before: 2.00 ns</title>"))
    #expect(distributionPlot([PlottedSide(name: "", style: "new", values: [0, 0])], of: .time).contains("<polygon"))
  }

  @Test func `a power law has its exponent`() throws {
    let points = [1.0, 2, 4, 8].map { (x: $0, estimate: Estimate.exact(3 * $0 * $0)) }
    let plot = try #require(scalingPlot(points, parameter: "n", of: .time))
    #expect(abs(plot.exponent - 2) < 1e-12)
    #expect(plot.svg.contains("class=\"fit\""))
    #expect(scalingPlot(Array(points.prefix(2)), parameter: "n", of: .time) == nil)
    #expect(scalingPlot(points.map { (1, $0.estimate) }, parameter: "n", of: .time) == nil)
  }

  @Test func `a course shows its changes`() throws {
    var text = ""
    for (index, value) in [2.0, 2, 3].enumerated() {
      let before = text.isEmpty ? History() : try History(Array(text.utf8), path: "h.csv")
      var results = Results.run()
      results.add(.allocations, [value])
      text += before.lines(adding: results, hash: "\(index)")
    }
    let series = HistorySeries.all(of: try History(Array(text.utf8), path: "h.csv"))[0]
    let plot = try #require(trendPlot(series))
    #expect(plot.contains("class=\"change worse\""))
    #expect(plot.components(separatedBy: "<circle").count == 4)
    #expect(trendPlot(HistorySeries(key: series.key, entries: Array(series.entries.prefix(1)))) == nil)
  }

  @Test func `launches that are odd are told`() {
    #expect(diagnosis([1, 2, 3, 4, 5, 6, 7, 8]) == "")
    #expect(diagnosis([1, 2, 3, 4, 5, 6, 7, 8, 1000]) == "1 of 9 launches far out")
    let modes = (0..<40).map { Double($0 % 10) / 10 + ($0.isMultiple(of: 2) ? 100 : 150) }
    #expect(diagnosis(modes).hasSuffix("more than one mode"))
  }
}
