// Which benchmarks a file calls ones of several threads.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct SeveralThreadsTests {
  @Test func theEnvironmentLineIsReadBack() {
    var points = [BenchmarkPoint.sample("a"), .sample("b", "n=1"), .sample("c")]
    #expect(SeveralThreads.fields(of: points).isEmpty)
    points[0].hasThreads = true
    points[1].hasThreads = true
    let fields = SeveralThreads.fields(of: points)
    #expect(fields.map(\.name) == ["several_threads"] && fields.map(\.value) == ["a b[n=1]"])
    #expect(SeveralThreads.titles(of: [:], line: fields[0].value) == ["a", "b[n=1]"])
    #expect(SeveralThreads.titles(of: [:], line: nil).isEmpty && SeveralThreads.titles(of: [:], line: "").isEmpty)
  }

  @Test func rowsOfTheLoadTellItToo() {
    var results = Results.run()
    results.add(.foreignLoad, [0.1], to: "a")
    results.add(.foreignLoad, unavailable: "no such file", to: "b")
    results.add(.time, [1], to: "c")
    #expect(SeveralThreads.titles(of: MeasuredRows.grouped(results), line: "d") == ["a", "b", "d"])
  }

  @Test func reportsLeaveTheListOut() {
    var results = Results.run()
    results.environment.append((name: "several_threads", value: "a b"))
    results.add(.time, [1, 2])
    #expect(!RunSummary(results, title: "t").environment.contains { $0.name == "several_threads" })
    #expect(!Comparison(base: results, new: results).junit(results.environment).contains("several_threads"))
    #expect(!History().lines(adding: results, hash: "h").contains("several_threads"))
  }
}
