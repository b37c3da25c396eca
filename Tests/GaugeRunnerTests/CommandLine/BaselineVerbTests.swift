// `gauge baseline`, from saving to removing, with its exit codes.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct BaselineVerbTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
    let file = try ResultFileWriter.replacing(folder("results/latest.csv"), environment: [("commit", "abc")])
    try file.append([.sample(metric: .allocations, .value(1))])
  }

  @Test func `a baseline is saved, listed, shown, compared with and removed`() throws {
    #expect(gauge("baseline", "save", "main") == 0, "\(gauge.error)")
    #expect(try folder.read("results/baselines/main.csv") == folder.read("results/latest.csv"))
    #expect(gauge("baseline", "list") == 0)
    #expect(gauge.output == "main  1 benchmarks, abc\n")
    #expect(gauge("baseline", "show", "main") == 0)
    #expect(gauge.output == "main: 1 benchmarks, abc\n  commit: abc\n")
    #expect(gauge("compare", "main", folder("results/latest.csv")) == 0)
    #expect(gauge("baseline", "remove", "main") == 0)
    #expect(gauge("baseline", "list") == 0)
    #expect(gauge.output == "")
  }

  @Test func `a baseline is replaced only by force`() throws {
    #expect(gauge("baseline", "save", "main") == 0)
    #expect(gauge("baseline", "save", "main") == 73)
    #expect(gauge.error.hasSuffix("main.csv exists\n--force replaces it.\n"))
    #expect(gauge("baseline", "save", "main", "--force") == 0)
  }

  @Test func `what broke is no baseline`() throws {
    let file = try ResultFileWriter.replacing(folder("broken.csv"), environment: [])
    try file.append(BenchmarkFault(benchmark: "a", parameters: "", reason: "died", output: ""))
    #expect(gauge("baseline", "save", "main", folder("broken.csv")) == 3)
    #expect(gauge("baseline", "list") == 0)
    #expect(gauge.output == "")
  }

  @Test func `mistakes have their codes`() throws {
    #expect(gauge("baseline") == 64)
    #expect(gauge("baseline", "keep", "main") == 64)
    #expect(gauge("baseline", "save", "../main") == 64)
    #expect(gauge("baseline", "show", "main") == 66)
    #expect(gauge("baseline", "save", "main", folder("none.csv")) == 66)
    #expect(gauge("baseline", "save", "main", "/dev/null") == 65)
    try folder.write("", to: "file/results")
    #expect(CapturedProgram(in: folder("file"))("baseline", "save", "main", folder("results/latest.csv")) == 73)
  }
}
