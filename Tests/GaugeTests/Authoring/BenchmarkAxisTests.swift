// Tests of parameter grids: their points, their order, their text.

import Testing

@testable import Gauge

@Suite struct BenchmarkAxisTests {
  @Test func threadsAreAnAxisOfNumbers() {
    #expect(BenchmarkAxis.threads([1, 4]) == .values("threads", [1, 4]))
  }

  @Test func withoutAxesThereIsOnePointWithoutText() {
    #expect(GridPoint.grid([]) == [GridPoint()])
    #expect(GridPoint().text == "")
  }

  @Test func theGridIsTheProductAndTheLastAxisRunsFastest() {
    let grid = GridPoint.grid([.values("sinks", [1, -10]), .values("kind", ["a", "b/c+d"])])
    #expect(
      grid.map(\.text) == [
        "sinks=1;kind=a", "sinks=1;kind=b/c+d", "sinks=-10;kind=a", "sinks=-10;kind=b/c+d",
      ])
    #expect(grid[3]["sinks"] == "-10")
    #expect(grid[3]["kind"] == "b/c+d")
    #expect(grid[3]["other"] == nil)
  }

  @Test func anAxisWithoutValuesLeavesNoPoint() {
    #expect(GridPoint.grid([.values("n", [Int]()), .values("m", [1])]).isEmpty)
  }
}
