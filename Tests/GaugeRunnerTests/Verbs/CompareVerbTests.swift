// `gauge compare`: verdicts as exit codes, and where reports go.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CompareVerbTests {
  let folder: TemporaryFolder
  let gauge = CapturedProgram()

  init() throws {
    folder = try TemporaryFolder()
    for (name, allocations) in [("a", 1.0), ("same", 1.0), ("more", 2.0)] {
      let file = try ResultFileWriter.replacing(folder("\(name).csv"), environment: [("commit", name)])
      for launch in 0..<2 {
        try file.append([.sample("subject/send", metric: .allocations, launch: launch, .value(allocations))])
      }
    }
    let broken = try ResultFileWriter.replacing(folder("broken.csv"), environment: [])
    try broken.append(BenchmarkFault(benchmark: "subject/send", parameters: "", reason: "died", output: ""))
  }

  @Test(
    arguments: [("a", "same", 0), ("a", "more", 2), ("more", "a", 4), ("a", "broken", 3)] as [(String, String, Int32)])
  func `the verdict is the exit code`(base: String, new: String, code: Int32) {
    #expect(gauge("compare", folder("\(base).csv"), folder("\(new).csv")) == code)
    #expect(!gauge.output.isEmpty)
  }

  /// It was worse, from 0 to 0.
  @Test func `what a subtraction leaves of a count is the same as none`() throws {
    for (name, value) in [("none.csv", 0.0), ("rest.csv", 1e-12)] {
      let file = try ResultFileWriter.replacing(folder(name), environment: [])
      for launch in 0..<2 {
        try file.append([.sample("subject/send", metric: .instructions, launch: launch, .value(value))])
      }
    }
    #expect(gauge("compare", folder("none.csv"), folder("rest.csv")) == 0, "\(gauge.output)")
    #expect(gauge("compare", folder("rest.csv"), folder("none.csv")) == 0, "\(gauge.output)")
  }

  @Test func `formats are printed, or written into a folder`() throws {
    let files = [folder("a.csv"), folder("more.csv")]
    #expect(gauge("compare", files[0], files[1]) == 2)
    let text = gauge.output
    #expect(gauge("compare", files[0], files[1], "--format", "markdown") == 2)
    let markdown = gauge.output
    #expect(markdown != text)
    #expect(gauge("compare", files[0], files[1], "--output", folder("out"), "--format", "text,markdown") == 2)
    #expect(gauge.output == text)
    #expect(try folder.read("out/comparison.txt") == text)
    #expect(try folder.read("out/comparison.md") == markdown)
  }

  @Test func `two files are needed, and have to be there`() {
    #expect(gauge("compare", folder("a.csv")) == 64)
    #expect(gauge.error.hasPrefix("gauge compare: error: expected two result files, found 1"))
    #expect(gauge("compare", folder("none.csv"), folder("a.csv")) == 66)
    #expect(gauge("compare", "/dev/null", folder("a.csv")) == 65)
    // They were taken, and didn't matter.
    for option in ["--base-executable", "--new-executable"] {
      #expect(gauge("compare", folder("a.csv"), folder("same.csv"), option, "x") == 64)
      #expect(gauge.error.contains("option '\(option)' says what --explain runs: add --explain\n"))
    }
  }

  @Test func `another direction of a metric is refused, with its place`() throws {
    func write(_ name: String, _ polarities: Metric.Polarity...) throws -> String {
      let file = try ResultFileWriter.replacing(folder(name), environment: [])
      for (launch, polarity) in polarities.enumerated() {
        try file.append([
          .sample("a", metric: Metric("depth", unit: "1", polarity: polarity, kind: .exact), launch: launch, .value(1))
        ])
      }
      return folder(name)
    }
    let base = try write("lower.csv", .lower)
    for polarity in [Metric.Polarity.higher, .neither] {
      let new = try write("other.csv", polarity)
      #expect(gauge("compare", base, new) == 65)
      #expect(
        gauge.error.contains(
          "other.csv:3: field 'polarity': expected 'lower', as depth of a has in \(base):3, found '\(polarity.rawValue)'"
        ))
    }
    #expect(gauge("compare", base, try write("both.csv", .lower, .higher)) == 65)
    #expect(gauge.error.contains("both.csv:4: field 'polarity': expected 'lower', as depth of a has on line 3"))
  }

  @Test func `rows of one side are counted in the summary`() throws {
    let file = try ResultFileWriter.replacing(folder("none.csv"), environment: [])
    try file.append([.sample("other", metric: .allocations, .value(1))])
    _ = gauge("compare", folder("a.csv"), folder("none.csv"))
    #expect(gauge.output.contains("1 row only in the baseline; 1 row only in the new run"), "\(gauge.output)")
  }
}
