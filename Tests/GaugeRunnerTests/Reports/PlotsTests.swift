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
    let launches = launchPlot(sides, of: .time).text
    #expect(launches.components(separatedBy: "<circle class=\"base\"").count == 4)
    #expect(launches.components(separatedBy: "<circle class=\"new\"").count == 5)
    let distribution = distributionPlot(sides, of: .time).svg.text
    #expect(distribution.components(separatedBy: "<polygon class=\"area").count == 3)
    #expect(distribution.contains("<title>before: 2.00 ns</title>"))
    let flat = distributionPlot([PlottedSide(name: "", style: "new", values: [0, 0])], of: .time)
    #expect(flat.svg.text.contains("<polygon") && flat.caption.isEmpty)
  }

  @Test func `one launch far out does not press the others into one step`() {
    let values = (0..<20).map { 100 + Double($0) } + [10_000]
    let plot = distributionPlot([PlottedSide(name: "", style: "new", values: values)], of: .time)
    #expect(plot.caption == "1 of 21 launches are beyond, up to 10.0 µs")
    // Ticks of the values that most launches have, and none below the least.
    #expect(plot.svg.text.contains(">110 ns</text>") && !plot.svg.text.contains(">0 ns</text>"))
    #expect(!plot.svg.text.contains("µs"))
  }

  @Test func `scaling is drawn with the law that it bears out`() throws {
    func series(_ points: [(Double, Double)]) -> ScalingSeries {
      ScalingSeries(
        title: "a/b", axis: "n", metric: .time, points: points.map { ScalingSeries.Point(size: $0.0, value: $0.1) })
    }
    let squares = [1.0, 2, 4, 8, 16].map { ($0, 3 * $0 * $0) }
    let plot = try #require(scalingPlot(series(squares)))
    #expect(plot.caption.hasPrefix("a/b over n: time grows as n²: 3.00 ns · n²"))
    #expect(plot.svg.text.contains("class=\"fit\"") && plot.svg.text.components(separatedBy: "<circle").count == 6)
    // Three places bear out too many laws, and are drawn without one.
    let few = try #require(scalingPlot(series(Array(squares.prefix(3)))))
    #expect(!few.svg.text.contains("class=\"fit\"") && few.caption.contains("no fit"))
    #expect(scalingPlot(series(Array(squares.prefix(2)))) == nil)
    #expect(scalingPlot(series(squares.map { ($0.0, $0.1 - 3) })) == nil)
  }

  @Test func `a course shows its changes`() throws {
    let history = try History.of(
      [2.0, 2, 3].map { value in
        var results = Results.run()
        results.add(.allocations, [value])
        return results
      })
    let series = HistorySeries.all(of: history)[0]
    let plot = try #require(trendPlot(series)).text
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
