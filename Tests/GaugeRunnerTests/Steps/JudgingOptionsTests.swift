// Thresholds and earlier runs as the command line gives them.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct JudgingOptionsTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
    for (name, count) in [("a", 100.0), ("b", 104.0)] {
      let file = try ResultFileWriter.replacing(folder("\(name).csv"), environment: [("commit", name)])
      for launch in 0..<2 { try file.append([.sample("x/y", metric: .allocations, launch: launch, .value(count))]) }
    }
  }

  private func compare(_ options: String...) -> Int32 {
    gauge(arguments: ["compare", folder("a.csv"), folder("b.csv")] + options)
  }

  @Test func `thresholds come from the package's file, a named one, and options`() throws {
    let head = "benchmark,metric,percent,absolute\n"
    #expect(compare() == 2)
    #expect(compare("--threshold", "allocations=5") == 0)
    #expect(gauge.output.contains("and 1 of the project's own"), "\(gauge.output)")
    try folder.write(head + "x/*,allocations,,4\n", to: "Benchmarks/thresholds.csv")
    #expect(compare() == 0)
    #expect(compare("--threshold=alloc*=3") == 0 && compare("--threshold", "5") == 0)
    try folder.write(head + "x/*,allocations,3,\n", to: "other.csv")
    #expect(compare("--thresholds", folder("other.csv")) == 2)
    #expect(compare("--thresholds", folder("other.csv"), "--threshold", "allocations=5") == 0)
  }

  @Test func `mistakes have their codes`() throws {
    #expect(compare("--threshold", "allocations") == 64)
    #expect(gauge.error.contains("option '--threshold' needs METRIC=PERCENT, such as time=5, not 'allocations'"))
    #expect(compare("--thresholds", folder("none.csv")) == 66)
    #expect(compare("--earlier", folder("none")) == 66)
    try folder.write("benchmark,metric,percent,absolute\nx,time,a,\n", to: "Benchmarks/thresholds.csv")
    #expect(compare() == 65)
    #expect(gauge.error.contains("thresholds.csv:2: field 'percent': expected a number, found 'a'"), "\(gauge.error)")
  }

  @Test func `earlier runs are learnt from, and a damaged one is named`() throws {
    var runs = MadeRuns(seed: 1)
    var paths: [String] = []
    func write(_ results: Results, _ name: String) throws {
      let file = try ResultFileWriter.replacing(folder(name), environment: results.environment)
      try file.append(results.rows)
      paths.append(folder(name))
    }
    for number in 0..<22 { try write(runs.run(factors: number == 21 ? ["b3": 1.15] : [:]), "r\(number).csv") }
    let learn = ["history", "learn"] + paths[..<20]
    #expect(gauge("compare", paths[20], paths[21]) == 7)
    #expect(gauge.output.contains("by wide bars, as 20 are needed"), "\(gauge.output)")
    #expect(gauge(arguments: learn) == 0, "\(gauge.error)")
    #expect(gauge(arguments: learn) == 0)
    #expect(gauge("compare", paths[20], paths[21]) == 2)
    #expect(gauge.output.replacing("\n", with: " ").contains("what 20 earlier runs of one build differ by."))
    #expect(gauge("compare", paths[20], paths[21], "--earlier", folder(".gauge/earlier")) == 2)
    try folder.write("x", to: ".gauge/earlier/0.csv")
    #expect(gauge("compare", paths[20], paths[21]) == 65)
    #expect(gauge.error.contains("Remove " + folder(".gauge/earlier/0.csv")), "\(gauge.error)")
    #expect(gauge("history", "learn") == 64 && gauge("history", "learn", folder("none.csv")) == 66)
  }
}
