// `gauge merge`: shards become one file that reads like any other.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct MergeVerbTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
    for (name, commit) in [("a", "c"), ("b", "c"), ("d", "other")] {
      let file = try ResultFileWriter.replacing(folder(name + ".csv"), environment: [("commit", commit)])
      try file.append([.sample(name, metric: .allocations, .value(2))])
    }
  }

  @Test func `shards that turn a metric's direction don't belong together`() throws {
    for (name, polarity) in [("a", Metric.Polarity.lower), ("b", .higher)] {
      let file = try ResultFileWriter.replacing(folder(name + ".csv"), environment: [])
      try file.append([
        .sample(metric: Metric("depth", unit: "1", polarity: polarity), launch: name == "a" ? 0 : 1, .value(2))
      ])
    }
    #expect(gauge("merge", folder("a.csv"), folder("b.csv"), "--output", folder("all.csv")) == 65)
    #expect(
      gauge.error.contains("b.csv: polarity of depth of subject/send is not 'lower', as before"), "\(gauge.error)")
  }

  @Test func `shards become one file`() throws {
    #expect(gauge("merge", folder("a.csv"), folder("b.csv"), "--output", folder("all.csv")) == 0, "\(gauge.error)")
    #expect(gauge.output == "2 files, 2 benchmarks, 0 broke: \(folder("all.csv"))\n")
    let contents = try ResultFile.read(folder("all.csv"))
    #expect(contents.warnings.isEmpty)
    #expect(contents.results.rows.map(\.benchmark) == ["a", "b"])
    #expect(contents.results.rows.map(\.sequence) == [0, 1])
  }

  /// A run would have gone on with a file that no name leads to.
  @Test func `nothing is merged into a folder that a run is measuring into`() throws {
    let lock = try FolderLock.take(folder.path)
    #expect(gauge("merge", folder("a.csv"), folder("b.csv"), "--output", folder("all.csv")) == 73)
    #expect(gauge.error.contains("another gauge is writing into \(folder.path)"), "\(gauge.error)")
    #expect(Files.stamp(of: folder("all.csv")) == nil)
    lock?.hold()
  }

  @Test(arguments: [(true, nil), (false, "2 of 8 launches")])
  func `what is merged of runs that were cut is incomplete`(isWhole: Bool, said: String?) throws {
    for name in ["a", "b"] {
      let file = try ResultFileWriter.replacing(
        folder(name + ".csv"), environment: [("commit", "c"), (Results.plannedField, "4")])
      try file.append([.sample(name, metric: .allocations, .value(2))])
      if isWhole || name == "a" { try file.end(after: 4) }
    }
    #expect(gauge("merge", folder("a.csv"), folder("b.csv"), "--output", folder("all.csv")) == 0)
    #expect(try ResultFile.read(folder("all.csv")).results.incompleteness == said)
  }

  @Test func `a broken benchmark stays broken`() throws {
    let file = try ResultFileWriter.replacing(folder("f.csv"), environment: [("commit", "c")])
    try file.append(BenchmarkFault(benchmark: "f", parameters: "", reason: "died", output: ""))
    #expect(gauge("merge", folder("a.csv"), folder("f.csv"), "--output", folder("all.csv")) == 3)
    #expect(try ResultFile.read(folder("all.csv")).results.faults.count == 1)
  }

  @Test func `mistakes have their codes, and write nothing`() {
    #expect(gauge("merge", folder("a.csv"), "--output", folder("all.csv")) == 64)
    #expect(gauge("merge", folder("a.csv"), folder("b.csv")) == 64)
    #expect(gauge("merge", folder("a.csv"), folder("d.csv"), "--output", folder("all.csv")) == 65)
    #expect(gauge.error.contains("d.csv: commit is 'other', that of"))
    #expect(gauge("merge", folder("a.csv"), folder("none.csv"), "--output", folder("all.csv")) == 66)
    #expect(gauge("merge", folder("a.csv"), folder("b.csv"), "--output", folder("a.csv/x/all.csv")) == 73)
    #expect(Files.stamp(of: folder("all.csv")) == nil)
  }

  /// The numbers of two shards together are more than any number: the program stopped.
  @Test func `numbers that can't be added up are told or left where they are`() throws {
    for name in ["a", "b"] {
      let file = try ResultFileWriter.replacing(
        folder(name + ".csv"), environment: [("commit", "c"), (Results.plannedField, "\(ResultFormat.largestCount)")])
      try file.append([.sample(name, metric: .allocations, .value(2))])
    }
    #expect(gauge("merge", folder("a.csv"), folder("b.csv"), "--output", folder("all.csv")) == 0)
    #expect(
      try ResultFile.read(folder("all.csv")).results.incompleteness
        == "2 of \(ResultFormat.largestCount) launches")
    for planned in ["9223372036854775807", "-1", "many"] {
      for name in ["a", "b"] {
        let file = try ResultFileWriter.replacing(
          folder(name + ".csv"), environment: [("commit", "c"), (Results.plannedField, planned)])
        try file.append([.sample(name, metric: .allocations, .value(2))])
      }
      #expect(gauge("merge", folder("a.csv"), folder("b.csv"), "--output", folder("all.csv")) == 0)
    }
    let file = try ResultFileWriter.replacing(folder("far.csv"), environment: [("commit", "c")])
    try file.append([.sample("far", metric: .allocations, sequence: ResultFormat.largestCount, .value(2))])
    #expect(gauge("merge", folder("far.csv"), folder("b.csv"), "--output", folder("none.csv")) == 65)
    #expect(gauge.error.contains("its launches are numbered up to 140737488355328"), "\(gauge.error)")
  }
}
