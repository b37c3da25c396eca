// `gauge history`: runs added once, shown, and their changes.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct HistoryVerbTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
  }

  func add(_ allocations: Double, commit: String) throws -> Int32 {
    let file = try ResultFileWriter.replacing(folder("results/latest.csv"), environment: [("commit", commit)])
    try file.append([.sample("a", metric: .allocations, .value(allocations))])
    return gauge("history", "add")
  }

  @Test func `runs are added once, and a change names its commit`() throws {
    #expect(try add(1, commit: "c1") == 0, "\(gauge.error)")
    #expect(try add(1, commit: "c2") == 0)
    #expect(gauge("history", "add") == 0)
    #expect(gauge.output.contains("is run 2 of"))
    #expect(try add(4, commit: "c3") == 0)
    #expect(gauge("history", "show") == 0)
    #expect(gauge.output.contains("a          allocations     3      1     4  ▁▁█\n"))
    #expect(gauge("history", "changes") == 0)
    #expect(gauge.output.contains("  3  c3      a          allocations       1      4  worse\n"), "\(gauge.output)")
    #expect(gauge.output.hasSuffix("1 changes in 1 series of 3 runs\n"))
  }

  @Test func `a broken last line is cut off before a run is added`() throws {
    #expect(try add(1, commit: "c1") == 0)
    let whole = try folder.read("results/history.csv")
    try folder.write(whole + "1,half", to: "results/history.csv")
    #expect(try add(2, commit: "c2") == 0)
    #expect(try folder.read("results/history.csv").hasPrefix(whole + "# 2 results: "))
  }

  @Test func `learn counts what it remembers`() throws {
    func write(_ name: String, _ metric: Metric, _ environment: [(name: String, value: String)]) throws -> String {
      let file = try ResultFileWriter.replacing(folder(name), environment: environment)
      let rows = (0..<6).map { ResultRow.sample("a", metric: metric, launch: $0, sequence: $0, .value(100)) }
      try file.append(rows)
      return folder(name)
    }
    let times = try write("times.csv", .time, [("executables", "E=1"), ("date", "2026-11-26T05:00:00Z")])
    let counts = try write("counts.csv", .allocations, [("executables", "E=1"), ("date", "2026-11-26T05:00:00Z")])
    let nameless = try write("nameless.csv", .time, [("date", "2026-11-26T05:00:00Z")])
    let earlier = folder("earlier")
    #expect(gauge("history", "learn", "--earlier", earlier, times, counts, nameless) == 0, "\(gauge.error)")
    #expect(
      gauge.output == "1 remembered in \(earlier); 2 without times, or without a build, are not\n", "\(gauge.output)")
    #expect(gauge("history", "learn", "--earlier", earlier, times) == 0)
    #expect(gauge.output == "1 remembered in \(earlier)\n")
    #expect(try EarlierRuns(folder: earlier).read().count == 1)
  }

  @Test func `mistakes have their codes`() throws {
    #expect(gauge("history") == 64)
    #expect(gauge("history", "show") == 66)
    #expect(try add(1, commit: "c1") == 0)
    #expect(gauge("history", "changes") == 7)
    #expect(gauge("history", "show", "none/*") == 64)
    #expect(gauge("history", "show", "--history", "/dev/null") == 65)
    try folder.write("", to: "file")
    #expect(gauge("history", "add", "--history", folder("file/h.csv"), folder("results/latest.csv")) == 73)
  }
}
