// Requests and reports of several launches in one process.

import Testing

@testable import Gauge

@Suite struct LaunchBatchTests {
  @Test func aRequestSurvivesItsLine() {
    let request = LaunchRequest(benchmark: "a/b", parameters: "n=1;m=x", pass: .counts, budget: 7)
    let line = LaunchBatch.line(request)
    #expect(!line.contains("\n"))
    #expect(LaunchBatch.arguments(of: line) == request.arguments)
    #expect(LaunchBatch.arguments(of: "a\\x") == nil)
    let empty = LaunchRequest(benchmark: "a", pass: .counts)
    #expect(
      LaunchBatch.arguments(of: LaunchBatch.line(empty)).map { LaunchRequest(arguments: $0.dropFirst()) } == empty)
  }

  @Test func reportsAreToldApart() {
    let report = "launched\t7\ngauge-launch\t1\ndone\nended\t7\t0\nlaunched\t9\ngauge-launch\t1\nended\t9\t11\n"
    #expect(
      LaunchBatch.parts(of: report) == [
        LaunchBatch.Part(process: 7, status: 0, report: "gauge-launch\t1\ndone\n"),
        LaunchBatch.Part(process: 9, status: 11, report: "gauge-launch\t1\n"),
      ])
  }

  @Test(arguments: [
    "", "launched\t7\ngauge-launch\t1\n", "ended\t7\t0\n", "launched\tx\nended\t1\t0\n",
    "launched\t7\nended\t8\t0\n", "launched\t7\nlaunched\t8\nended\t8\t0\n",
  ])
  func whatHasNotEndedIsLeftOut(report: String) {
    #expect(LaunchBatch.parts(of: report).isEmpty)
  }
}
