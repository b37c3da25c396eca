// Plots: places on axes, round ticks, and pictures that are well-formed.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct PlotTests {
  func plot(_ x: [Double], _ y: [Double], isLogarithmic: Bool = false) -> Plot {
    Plot("a < b", x: x, y: y, isLogarithmic: isLogarithmic, labelX: { "\($0)" }, labelY: { "\($0)" })
  }

  @Test func `ticks are round and within the axis`() {
    #expect(plot([0, 10], [1, 2]).x.ticks == [0, 5, 10])
    #expect(plot([1, 1000], [1, 2], isLogarithmic: true).x.ticks == [1, 10, 100, 1000])
    for range in [
      [0.0, 1], [-3, 8], [1e-9, 1e-8], [5, 5], [0, 0], [1e12, 2e12], [0, .leastNonzeroMagnitude], [-1e150, 1e150],
    ] {
      let axis = plot(range, range).x
      #expect(axis.ticks.count >= 1 && axis.ticks.count <= 8, "\(range)")
      #expect(axis.ticks.allSatisfy { $0 >= axis.low && $0 <= axis.high })
    }
  }

  @Test func `any finite numbers have a picture`() {
    for range in [[.leastNonzeroMagnitude, .leastNormalMagnitude], [1e-200, 1e150], [1, .infinity]] {
      for isLogarithmic in [false, true] {
        var plot = plot(range, range, isLogarithmic: isLogarithmic)
        plot.dots([(range[0], range[0])], style: "new")
        #expect(plot.svg().text.contains("<circle"))
      }
    }
  }

  @Test func `nothing is shown below 0 of what is never below`() {
    #expect(plot([0, 10], [0.1, 9]).x.low == 0 && plot([0, 10], [0.1, 9]).y.low == 0)
    #expect(plot([-1, 10], [1, 2]).x.low < -1)
  }

  @Test func `larger values are to the right and above`() {
    let plot = plot([1, 9], [1, 9])
    #expect(plot.x.place(9) > plot.x.place(1))
    #expect(plot.y.place(9) < plot.y.place(1))
  }

  @Test func `every mark is drawn, and the picture is well-formed`() {
    var plot = plot([1, 2, 3], [1, 2, 3])
    plot.dots([(1, 1), (2, 2)], style: "new")
    plot.line([(1, 1), (3, 3)], style: "fit")
    plot.line([(1, 1), (3, 3)], style: "area", filled: true)
    plot.rule(x: 2, style: "median", title: "\"2\"")
    plot.bars([(1, 1, 2)], style: "interval")
    let svg = plot.svg().text
    #expect(svg.components(separatedBy: "<circle").count == 3)
    #expect(svg.contains("<polyline class=\"fit\""))
    #expect(svg.contains("<polygon class=\"area\""))
    #expect(svg.contains("<title>&quot;2&quot;</title>"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }
}
