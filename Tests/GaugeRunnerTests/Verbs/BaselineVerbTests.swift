// `gauge baseline`, from saving to removing, with its exit codes.

import Foundation
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

  /// It was read as a result file.
  @Test func `a folder of a baseline's name is in nobody's way`() throws {
    #expect(gauge("baseline", "save", "main") == 0, "\(gauge.error)")
    try Files.makeFolder(folder("main"))
    let command = "cd '\(folder.path)'; exec '\(GaugeExecutableTests.gauge)' compare main results/latest.csv"
    func compare() throws -> ProcessRun {
      try ProcessRun.capturing(Command(program: "/bin/sh", arguments: ["-c", command]))
    }
    #expect(try compare().ending == .ended(.exited(0)))
    #expect(gauge("baseline", "remove", "main") == 0)
    #expect(try compare().ending == .ended(.exited(65)))
  }

  /// Those behind it were not listed.
  @Test func `a damaged baseline is named, and the others are listed`() throws {
    for name in ["a", "c"] { #expect(gauge("baseline", "save", name) == 0, "\(gauge.error)") }
    try folder.write("x\n", to: "results/baselines/b.csv")
    #expect(gauge("baseline", "list") == 65)
    #expect(gauge.output == "a  1 benchmarks, abc\nc  1 benchmarks, abc\n")
    #expect(
      gauge.error.hasPrefix("gauge baseline: error: 'b': \(folder("results/baselines/b.csv")):1: "), "\(gauge.error)")
  }

  @Test func `what a file doesn't know is left out of its line`() throws {
    _ = try ResultFileWriter.replacing(
      folder("none.csv"), environment: [("commit", "unavailable: no git"), ("cpu_model", "a core")])
    #expect(gauge("baseline", "save", "main", folder("none.csv")) == 0)
    #expect(gauge.output == "saved main: 0 benchmarks, a core\n")
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

  /// A package with a run that was measured with its executable.
  private func package() throws -> (fixture: TwoRevisions, gauge: CapturedProgram) {
    let fixture = try TwoRevisions()
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    #expect(gauge("run", "--metrics", "time") == 0, "\(gauge.error)")
    return (fixture, gauge)
  }

  @Test func `executables are kept, told of, and removed with the baseline`() throws {
    let (fixture, gauge) = try package()
    #expect(gauge("baseline", "save", "main") == 0, "\(gauge.error)")
    #expect(gauge.output.hasSuffix(", executables kept: 1 MB\n"), "\(gauge.output)")
    #expect(gauge("baseline", "list") == 0)
    #expect(gauge.output.contains("2 kept files in \(fixture.folder("package"))/.gauge/kept take 1 MB\n"))
    #expect(gauge("baseline", "show", "main") == 0)
    #expect(gauge.output.contains("  file: Fast, 1 MB\n"), "\(gauge.output)")
    try fixture.folder.write(TwoRevisions.executable(time: "40"), to: "package/Fast")
    #expect(gauge("run", "--metrics", "time") == 0)
    #expect(gauge("baseline", "save", "main", "--force") == 0)
    #expect(gauge("baseline", "list") == 0)
    #expect(gauge.output.contains("; no baseline refers to 1 MB of it\n"))
    #expect(gauge("baseline", "remove", "main") == 0)
    #expect(gauge.output == "removed main, with 1 MB of executables\n")
    #expect(try fixture.git("status", "--porcelain", "results/baselines") == "")
  }

  @Test func `a run whose executables are gone is saved without them, and that is said`() throws {
    let (fixture, gauge) = try package()
    try fixture.folder.write("another build", to: "package/.gauge/build/release/Fast")
    #expect(gauge("baseline", "save", "main") == 0)
    #expect(gauge.error.contains("warning: no executables are kept: "), "\(gauge.error)")
    #expect(gauge.error.contains("is another build than the run was measured with"), "\(gauge.error)")
    #expect(gauge("baseline", "accept") == 66)
    #expect(gauge.error.contains("its executables can't be kept: "), "\(gauge.error)")
  }

  /// The executables were those of the new run, and the numbers those of the old one.
  @Test func `a baseline that can't be written stays whole`() throws {
    let (fixture, gauge) = try package()
    #expect(gauge("baseline", "save", "main") == 0, "\(gauge.error)")
    let record = try fixture.folder.read("package/.gauge/kept/main.json")
    try fixture.folder.write(TwoRevisions.executable(time: "40"), to: "package/Fast")
    #expect(gauge("run", "--metrics", "time") == 0)
    let path = fixture.folder("package/results/baselines/main.csv")
    let results = try fixture.folder.read("package/results/baselines/main.csv")
    Files.remove(path)
    try Files.makeFolder(path)
    #expect(gauge("baseline", "save", "main", "--force") == 73)
    #expect(gauge.error.contains("main.csv is a folder\nRemove it, or name another.\n"), "\(gauge.error)")
    #expect(try fixture.folder.read("package/.gauge/kept/main.json") == record)
    Files.removeFolder(path)
    try fixture.folder.write(results, to: "package/results/baselines/main.csv")
    #expect(gauge("baseline", "save", "main", "--force", "--space", "1") == 0, "\(gauge.error)")
    try fixture.folder.write(String(repeating: "x", count: 3 << 20), to: "package/.gauge/build/release/p.resources/big")
    let saved = try fixture.folder.read("package/results/baselines/main.csv")
    #expect(gauge("run", "--metrics", "time") == 0)
    #expect(gauge("baseline", "save", "main", "--force", "--space", "1") == 73)
    #expect(try fixture.folder.read("package/results/baselines/main.csv") == saved)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder("package/results/baselines")) == ["main.csv"])
  }

  /// Those of the run before stayed.
  @Test func `a baseline without executables keeps none of the one that it replaces`() throws {
    let (fixture, gauge) = try package()
    #expect(gauge("baseline", "save", "main") == 0, "\(gauge.error)")
    try fixture.folder.write("another build", to: "package/.gauge/build/release/Fast")
    #expect(gauge("baseline", "save", "main", "--force") == 0, "\(gauge.error)")
    #expect(gauge("baseline", "list") == 0)
    #expect(!gauge.output.contains("executables kept"), "\(gauge.output)")
    #expect(Files.kind(of: fixture.folder("package/.gauge/kept/main.json")) == nil)
  }

  @Test func `a run that is incomplete is told`() throws {
    let file = try ResultFileWriter.replacing(folder("part.csv"), environment: [(Results.plannedField, "4")])
    try file.append([.sample(metric: .allocations, .value(1))])
    #expect(gauge("baseline", "save", "part", folder("part.csv")) == 0)
    #expect(gauge.error.contains("warning: \(folder("part.csv")) is incomplete: 1 of 4 launches; "), "\(gauge.error)")
    #expect(gauge("baseline", "accept", folder("part.csv")) == 66)
    #expect(gauge.error.contains("warning: \(folder("part.csv")) is incomplete: 1 of 4 launches; "), "\(gauge.error)")
  }

  /// A stranger's file names an executable with its hash: it would be kept, and run by `gauge ab`.
  @Test func `executables that weren't built here are kept only where they are named`() throws {
    let executable = try folder.script(
      "if [ \"$1\" = list ]; then printf 'benchmark\\ta\\t\\ttime\\n'; fi", named: "Other")
    let hash = Fingerprint.hash(try Files.contents(of: executable))
    func write(hash: String) throws {
      let file = try ResultFileWriter.replacing(
        folder("results/latest.csv"), environment: [("executables", "Other=\(hash)"), ("executable_paths", "Other")])
      try file.append([.sample(metric: .allocations, .value(1))])
    }
    try write(hash: hash)
    #expect(gauge("baseline", "accept") == 66)
    #expect(gauge.error.contains("Other, as the run names its executable, is not what was built here: "))
    #expect(gauge("baseline", "save", "main") == 0)
    #expect(gauge.error.contains("warning: no executables are kept: "), "\(gauge.error)")
    #expect(Files.kind(of: folder(".gauge/kept/main.json")) == nil)
    #expect(gauge("baseline", "save", "main", "--force", "--executable", executable) == 0)
    #expect(gauge.output.contains(", executables kept: "), "\(gauge.output) \(gauge.error)")
    try write(hash: "0123456789abcdef")
    #expect(gauge("baseline", "accept", "--executable", executable) == 66)
    #expect(gauge.error.contains("Other is not what the run was measured with"), "\(gauge.error)")
  }

  @Test func `the accepted baseline is the machine's own`() throws {
    let (fixture, gauge) = try package()
    #expect(gauge("baseline", "show", "accepted") == 66)
    #expect(gauge("baseline", "accept") == 0, "\(gauge.error)")
    #expect(gauge.output.hasPrefix("accepted: 1 benchmarks, "))
    #expect(Files.kind(of: fixture.folder("package/results/baselines")) == nil)
    #expect(gauge("baseline", "show", "accepted") == 0)
    #expect(gauge("baseline", "list") == 0)
    #expect(gauge.output.hasPrefix("accepted  1 benchmarks, "))
    #expect(gauge("compare", "accepted", fixture.folder("package/results/latest.csv")) != 66, "\(gauge.error)")
    #expect(gauge("baseline", "accept", fixture.folder("package/results/latest.csv")) == 0)
    #expect(gauge("baseline", "save", "accepted") == 64)
    #expect(gauge("baseline", "remove", "accepted") == 0)
    #expect(gauge("baseline", "accept", fixture.folder("none.csv")) == 66)
  }

  @Test func `a file named as the accepted baseline is ignored`() throws {
    let (fixture, gauge) = try package()
    let path = "package/results/baselines/accepted.csv"
    try fixture.folder.write("# gauge-results 1\n# commit: forged\n" + CSV.record(ResultFormat.columns), to: path)
    #expect(gauge("baseline", "show", "accepted") == 66)
    #expect(gauge.error.contains("accepted.csv is ignored"), "\(gauge.error)")
    #expect(gauge("baseline", "accept") == 0, "\(gauge.error)")
    #expect(gauge("baseline", "show", "accepted") == 0)
    #expect(!gauge.output.contains("forged"), "\(gauge.output)")
    #expect(gauge("baseline", "list") == 0)
    #expect(!gauge.output.contains("forged"), "\(gauge.output)")
    #expect(gauge("compare", "accepted", fixture.folder("package/results/latest.csv")) == 0, "\(gauge.error)")
    #expect(gauge("baseline", "remove", "accepted") == 0)
    #expect(Files.kind(of: fixture.folder(path)) == .file)
  }

  @Test func `nothing is removed behind a link, and no value breaks its line`() throws {
    let outside = try TemporaryFolder()
    try outside.write("mine", to: "baselines/main.csv")
    try FileManager.default.removeItem(atPath: folder("results"))
    try FileManager.default.createSymbolicLink(atPath: folder("results"), withDestinationPath: outside.path)
    #expect(gauge("baseline", "remove", "main") == 73)
    #expect(try outside.read("baselines/main.csv") == "mine")
    let file = try ResultFileWriter.replacing(
      folder("odd.csv"), environment: [("commit", "a\n  dirty: no\n::error::\u{1b}[31mx")])
    try file.append([.sample(metric: .allocations, .value(1))])
    try Files.rename(folder("odd.csv"), to: outside("baselines/odd.csv"))
    #expect(gauge("baseline", "show", "odd") == 0)
    #expect(gauge.output.split(separator: "\n").count == 2, "\(gauge.output)")
    #expect(!gauge.output.contains("\u{1b}"))
  }

  @Test func `the limit of space is an option, and refuses before anything is saved`() throws {
    let (fixture, gauge) = try package()
    #expect(gauge("baseline", "save", "main", "--space", "0") == 64)
    try fixture.folder.write(String(repeating: "x", count: 3 << 20), to: "package/.gauge/build/release/p.resources/big")
    #expect(gauge("baseline", "save", "main", "--space", "2") == 73)
    #expect(gauge.error.contains("the kept executables would take 4 MB, the limit is 2 MB\n--space MEGABYTES sets"))
    #expect(Files.kind(of: fixture.folder("package/results/baselines/main.csv")) == nil)
    #expect(gauge("baseline", "save", "main", "--space", "4") == 0)
    #expect(gauge("baseline", "save", "other", "--space", "3") == 73)
    #expect(gauge.error.contains("Baselines refer to: main (4 MB). 'gauge baseline remove NAME' makes room."))
  }

  @Test func `no link is followed while saving`() throws {
    let (fixture, gauge) = try package()
    try fixture.folder.write("mine", to: "precious")
    try Files.makeFolder(fixture.folder("package/results/baselines"))
    for name in ["main.csv", "main.csv.new"] {
      try FileManager.default.createSymbolicLink(
        atPath: fixture.folder("package/results/baselines/" + name), withDestinationPath: fixture.folder("precious"))
    }
    #expect(gauge("baseline", "save", "main") == 73)
    #expect(gauge("baseline", "save", "main", "--force") == 0, "\(gauge.error)")
    #expect(try fixture.folder.read("precious") == "mine")
    #expect(Files.kind(of: fixture.folder("package/results/baselines/main.csv")) == .file)
    #expect(gauge("baseline", "remove", "main") == 0)
    try FileManager.default.removeItem(atPath: fixture.folder("package/results/baselines"))
    try fixture.folder.write("", to: "outside/file")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder("package/results/baselines"), withDestinationPath: fixture.folder("outside"))
    #expect(gauge("baseline", "save", "main") == 73)
    #expect(Files.kind(of: fixture.folder("outside/main.csv")) == nil)
  }

  @Test func `mistakes have their codes`() throws {
    #expect(gauge("baseline") == 64)
    #expect(gauge("baseline", "keep", "main") == 64)
    #expect(gauge("baseline", "save", "../main") == 64)
    #expect(gauge.error.contains("'_' and '.' are, with no '-' or '.' in front\n"), "\(gauge.error)")
    #expect(gauge("baseline", "show", "main") == 66)
    #expect(gauge("baseline", "save", "main", folder("none.csv")) == 66)
    #expect(gauge("baseline", "save", "main", "/dev/null") == 65)
    try folder.write("", to: "file/results")
    #expect(CapturedProgram(in: folder("file"))("baseline", "save", "main", folder("results/latest.csv")) == 73)
  }
}
