// What an earlier run is remembered by.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct EarlierRunTests {
  @Test func aRunIsReadAsItWasWritten() throws {
    var runs = MadeRuns(seed: 1)
    var results = runs.run(build: "E=1;F, \"2\"=3\n4")
    results.add(.allocations, [1, 1], to: "b0")
    results.add(.latency(percentile: "99"), [5, 7, 6], to: "b0", parameters: "n=1;what=a,b")
    results.add(.time, unavailable: "no clock", to: "other")
    results.add(Metric("mean_by_median_readers", unit: "1"), [1.1, 1.2, 1.3], to: "b0")
    let run = EarlierRun(results)
    let read = try EarlierRun(Array(run.text.utf8), path: "r.csv")
    #expect(read.levels == run.levels && read.build == run.build && read.build.hasSuffix("\n4"))
    #expect(Likeness.isLike(read.environment, results.environment))
    #expect(!Likeness.isLike(read.environment, Results.run(machine: "b2").environment))
    // Counts are not learnt from, and what has no value isn't either.
    let metrics = ["time", "latency_p99", "reference_loop", "reference_memory", "mean_by_median_readers"]
    #expect(Set(run.levels.keys.map(\.metric)) == Set(metrics))
    #expect(run.levels.count == 12 * 3 + 2)
  }

  @Test(arguments: [
    ("# gauge-earlier-run 9\n", "r.csv:1: expected '# gauge-earlier-run 2'"),
    ("# gauge-earlier-run 2\n#x\n", "r.csv:2: expected '# name: value', found '#x'"),
    ("# gauge-earlier-run 2\n", "r.csv:2: field 'fast': expected a number, found 'x'"),
  ])
  func damageIsNamedByFileLineAndField(head: String, complaint: String) {
    let rows = "benchmark,parameters,metric,launches,fast,slow\n"
    let text = head + rows + "a,,time,5,x,2\n"
    let whole = complaint.contains("field") ? complaint.replacing("r.csv:2", with: "r.csv:3") : complaint
    #expect {
      _ = try EarlierRun(Array(text.utf8), path: "r.csv")
    } throws: { error in
      "\(error)" == whole
    }
  }

  /// Where what was left of the last number was one, or the last line was whole, it was read as if nothing lacked.
  @Test func aFileThatIsCutShortIsDamage() throws {
    var runs = MadeRuns(seed: 1)
    runs.benchmarks = ["b0"]
    let run = EarlierRun(runs.run())
    let text = Array(run.text.utf8)
    #expect(try EarlierRun(text, path: "r.csv").levels == run.levels)
    #expect(try EarlierRun(text, path: "r.csv").text == run.text)
    for length in text.indices {
      #expect(throws: ResultFile.Failure.self, "\(length)") { try EarlierRun(Array(text[..<length]), path: "r.csv") }
    }
  }

  @Test func aFileOfAnEarlierVersionIsWholeWithItsLastLineFeed() throws {
    let text = "# gauge-earlier-run 2\n# date: x\nbenchmark,parameters,metric,launches,fast,slow\na,,time,5,1,2.25\n"
    #expect(try EarlierRun(Array(text.utf8), path: "r.csv").levels.count == 1)
    for cut in 1...3 {
      let failure = #expect(throws: ResultFile.Failure.self) {
        try EarlierRun(Array(text.utf8.dropLast(cut)), path: "r.csv")
      }
      #expect(failure?.description == "r.csv:4: the file breaks off")
    }
  }

  @Test func aRowThatStandsTwiceIsDamage() {
    let text = "# gauge-earlier-run 2\nbenchmark,parameters,metric,launches,fast,slow\na,,time,5,1,2\na,,time,5,1,2\n"
    #expect(throws: ResultFile.Failure.self) { try EarlierRun(Array(text.utf8), path: "r.csv") }
  }
}
