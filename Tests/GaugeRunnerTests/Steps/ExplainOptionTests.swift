// Tests of `--explain`: which executables are taken, and what is said where they are gone.

import Foundation
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
    try folder.write("#!/bin/sh\nexit 0\n", to: ".gauge/Benchmarks")
    let hash = Fingerprint.hash(try Files.contents(of: folder(".gauge/Benchmarks")))
    try file("gone", allocations: 1, environment: [("executables", "X=1"), ("executable_paths", ".gauge/X")])
    try file(
      "rebuilt", allocations: 1,
      environment: [("executables", "Benchmarks=1"), ("executable_paths", ".gauge/Benchmarks")])
    try file(
      "kept", allocations: 2,
      environment: [("executables", "Benchmarks=\(hash)"), ("executable_paths", ".gauge/Benchmarks")])
    #expect(compare("gone", "kept").contains("the executable of BASE, .gauge/X, is gone"))
    #expect(compare("rebuilt", "kept").contains(".gauge/Benchmarks is another build than BASE was measured with"))
  }

  /// A stranger's file names an executable with its hash: it would be run.
  @Test(arguments: [
    "Benchmarks", "/ABSOLUTE/Benchmarks", ".gauge/../Benchmarks", "results/.gauge/Benchmarks", ".gauge",
  ])
  func `what a file names is run only where it was built here`(path: String) throws {
    let executable = try folder.script("echo evil >'\(folder("evil"))'", named: "Benchmarks")
    for place in ["results/.gauge", ".gauge"] {
      try folder.write("x", to: "\(place)/x")
      try FileManager.default.copyItem(atPath: executable, toPath: folder("\(place)/Benchmarks"))
    }
    let path = path.replacing("/ABSOLUTE", with: folder.path)
    let hash = Fingerprint.hash(try Files.contents(of: executable))
    let environment = [("executables", "Benchmarks=\(hash);.gauge=\(hash)"), ("executable_paths", path)]
    try file("base", allocations: 1, environment: environment)
    try file("new", allocations: 2, environment: environment)
    #expect(compare("base", "new").contains("names its executable, is not what was built here: name it by"))
    #expect(Files.kind(of: folder("evil")) == nil)
  }

  @Test func `what git tracks is not what was built here`() throws {
    let fixture = try TwoRevisions()
    try fixture.folder.write("#!/bin/sh\necho evil >'\(folder("evil"))'\n", to: "package/.build/Benchmarks")
    try fixture.git("add", "-f", ".build")
    let hash = Fingerprint.hash(try Files.contents(of: fixture.folder("package/.build/Benchmarks")))
    let environment = [("executables", "Benchmarks=\(hash)"), ("executable_paths", ".build/Benchmarks")]
    try file("base", allocations: 1, environment: environment)
    try file("new", allocations: 2, environment: environment)
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    #expect(gauge("compare", "--explain", folder("base.csv"), folder("new.csv")) == 2, "\(gauge.error)")
    let text = gauge.output.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    #expect(text.contains(".build/Benchmarks may be a stranger's, as "), "\(text)")
    #expect(text.contains("/package/.build/Benchmarks: git tracks it: name it by"), "\(text)")
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
