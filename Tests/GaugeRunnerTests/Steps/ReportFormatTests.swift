// Formats and their files: every format is written, under names that no other format has.

import Testing

@testable import GaugeRunner

@Suite struct ReportFormatTests {
  @Test func `no two formats share a file`() {
    var results = reportedSuite(seed: 1, benchmarks: 2)
    results.add(.latency(percentile: "50"), [1, 2, 3], to: "d")
    let comparison = Comparison(base: results, new: results)
    let files = ReportFormat.allCases.flatMap { format in
      format.files(comparison, base: results, new: results, width: 80).map(\.name)
    }
    #expect(Set(files).count == files.count)
    #expect(files.count == ReportFormat.allCases.count + 1)
  }

  @Test func `a run has no verdicts to show`() {
    #expect(ReportFormat.junit.files(Results(), title: "t").isEmpty)
    for format in ReportFormat.exports.subtracting([.hgrm]) { #expect(!format.files(Results(), title: "t").isEmpty) }
  }

  @Test func `compare and report write what is asked for`() throws {
    let folder = try TemporaryFolder()
    let gauge = CapturedProgram(in: folder.path)
    let file = try ResultFileWriter.replacing(folder("a.csv"), environment: [])
    try file.append([.sample(metric: .allocations, .value(1))])
    let all = ReportFormat.allCases.filter { $0 != .junit }.map(\.rawValue).joined(separator: ",")
    #expect(gauge("report", folder("a.csv"), "--format", all, "--output", folder("out")) == 0, "\(gauge.error)")
    for name in ["report.html", "influx.lp", "github-bigger.json", "otava.csv"] {
      #expect(Files.stamp(of: folder("out/" + name)) != nil, "\(name)")
    }
    #expect(
      gauge("compare", folder("a.csv"), folder("a.csv"), "--format", "junit,json", "--output", folder("out")) == 0)
    #expect(try folder.read("out/junit.xml").contains("<testcase name=\"allocations\""))
    #expect(gauge("report", folder("a.csv"), "--format", "github") == 64)
    #expect(gauge("report", folder("a.csv"), "--format", "junit") == 64)
    #expect(gauge("report", folder("a.csv"), folder("a.csv"), "--format", "json", "--output", folder("two")) == 0)
    #expect(Files.stamp(of: folder("two/a/report.json")) != nil)
  }
}
