// Tests of `--explain`: which executables are taken, and what is said where they are gone.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ExplainOptionTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
    try file("a", allocations: 1, environment: [])
    try file("b", allocations: 2, environment: [])
  }

  private func file(_ name: String, allocations: Double, environment: [(name: String, value: String)]) throws {
    let file = try ResultFileWriter.replacing(folder("\(name).csv"), environment: environment)
    for launch in 0..<2 {
      try file.append([.sample("good", metric: .allocations, launch: launch, .value(allocations))])
    }
  }

  private func compare(_ base: String, _ new: String, _ options: String...) -> String {
    #expect(gauge(arguments: ["compare", "--explain", folder("\(base).csv"), folder("\(new).csv")] + options) == 2)
    return gauge.output.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
  }

  @Test func `files that do not say where their executables are need them named`() {
    #expect(compare("a", "b").contains("BASE does not say where its executable is: name it by --base-executable"))
  }

  @Test func `executables that are gone or rebuilt are not taken`() throws {
    let executable = try folder.script("exit 0", named: "Benchmarks")
    let hash = Fingerprint.hash(try Files.contents(of: executable))
    try file("gone", allocations: 1, environment: [("executables", "X=1"), ("executable_paths", "X")])
    try file(
      "rebuilt", allocations: 1, environment: [("executables", "Benchmarks=1"), ("executable_paths", "Benchmarks")])
    try file(
      "kept", allocations: 2, environment: [("executables", "Benchmarks=\(hash)"), ("executable_paths", "Benchmarks")])
    #expect(compare("gone", "kept").contains("the executable of BASE, X, is gone"))
    #expect(compare("rebuilt", "kept").contains("Benchmarks is another build than BASE was measured with"))
  }

  @Test func `executables that are named are run`() throws {
    let executable = try folder.fakeBenchmarks()
    let text = compare("a", "b", "--base-executable", executable, "--new-executable", executable)
    #expect(text.contains("not explained"))
    #expect(!text.contains("name it by"))
  }

  @Test func `what only one side has is not explained`() throws {
    let executable = try folder.script("printf 'benchmark\\tother\\t\\ttime\\n'", named: "Benchmarks")
    let text = compare("a", "b", "--base-executable", executable, "--new-executable", executable)
    #expect(text.contains("the executables do not both have it"))
  }

  @Test func `nothing is run where nothing is worse`() {
    #expect(gauge("compare", "--explain", folder("b.csv"), folder("a.csv")) == 4)
    #expect(!gauge.output.contains("explained"))
  }
}
