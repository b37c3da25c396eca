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
  }
}
