// Runs summarised for exports.

import Testing

@testable import GaugeRunner

@Suite struct RunSummaryTests {
  @Test func `benchmarks and metrics are in order, with their launches`() {
    let run = RunSummary.sample()
    #expect(run.points.map(\.title) == ["a b/c[n=1;k=x,\"y\"]", "d"])
    #expect(run.points[0].rows.map(\.metric.name) == ["allocations", "throughput", "time"])
    #expect(run.points[0].row(.time)?.values == [2, 3, 4])
    #expect(run.points[0].row(.time)?.samples == 30)
    #expect(run.points[0].parameters.map(\.name) == ["n", "k"])
    #expect(run.seconds == 1_735_689_600)
    #expect(run.environment.contains { $0.name == "limits" } == false)
  }

  @Test func `threads are a parameter of that name`() {
    var point = RunSummary.sample().points[0]
    #expect(point.threads == 1)
    point.parameters = [("threads", "4")]
    #expect(point.threads == 4)
  }
}
