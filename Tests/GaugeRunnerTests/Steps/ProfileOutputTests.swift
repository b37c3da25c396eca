// Where profiles are written.

import Testing

@testable import GaugeRunner

@Suite struct ProfileOutputTests {
  private func write(_ formats: [ProfileFormat], to folder: String?) throws -> (paths: [String], printed: String) {
    var printed = ""
    let stream = Console.Stream(write: { printed += $0 }, columns: nil, colour: false)
    var profile = Profile(.cpu, operations: 2)
    profile.add(8, at: [ProfileFrame(function: "a/b[n=1]", object: "o")])
    let output = ProfileOutput(formats: formats, folder: folder, console: Console(output: stream, error: stream))
    let paths = try output.write([profile, Profile(.retains, operations: 2)], title: "a/b[n=1]")
    return (paths, printed)
  }

  @Test func `files are named by the benchmark and what is weighed`() throws {
    let folder = try TemporaryFolder()
    let (paths, printed) = try write([.folded], to: folder("deep/er"))
    #expect(paths == ["deep/er/a-b-n=1-.cpu.folded", "deep/er/a-b-n=1-.retains.folded"].map { folder($0) })
    #expect(try folder.read("deep/er/a-b-n=1-.cpu.folded") == "a/b[n=1] 8\n")
    #expect(printed.isEmpty)
  }

  @Test func `forms for all kinds of a launch are one file each`() throws {
    let folder = try TemporaryFolder()
    let (paths, printed) = try write([.html, .speedscope, .pprof], to: folder.path)
    #expect(paths == ["html", "speedscope.json", "pb.gz"].map { folder("a-b-n=1-.cpu." + $0) })
    #expect(try folder.read("a-b-n=1-.cpu.html").contains("<title>a/b[n=1]</title>"))
    #expect(printed.isEmpty)
  }

  @Test func `waits are told in words, on the terminal and on the page`() throws {
    var printed = ""
    let folder = try TemporaryFolder()
    let stream = Console.Stream(write: { printed += $0 }, columns: nil, colour: false)
    let output = ProfileOutput(
      formats: [.table, .html], folder: folder.path, console: Console(output: stream, error: stream))
    var made = MadeWaits()
    made.thread(running: 400, waiting: 600)
    made.wait(1, "sleep", 0..<600, in: "retry<Int>()")
    _ = try output.write([Profile(.waits, operations: 2)], waits: made.report(), title: "a")
    #expect(printed.hasPrefix("a\n  waits: ") && printed.contains("\n  1. 100.0 % retry<Int>() sleeps\n"), "\(printed)")
    #expect(try folder.read("a.waits.html").contains("  1. 100.0 % retry&lt;Int&gt;() sleeps\n"))
  }

  @Test func `bytes are not printed`() {
    #expect { try write([.pprof], to: nil) } throws: { ($0 as? CommandFailure)?.code == .usage }
  }

  @Test func `a table says what it differs by`() throws {
    var printed = ""
    let stream = Console.Stream(write: { printed += $0 }, columns: nil, colour: false)
    let output = ProfileOutput(formats: [.table], folder: nil, console: Console(output: stream, error: stream))
    let frame = ProfileFrame(function: "work()", object: "o", file: "Work.swift", line: 7)
    var (base, new) = (Profile(.cpu, operations: 2), Profile(.cpu, operations: 2))
    base.add(8, at: [frame])
    new.add(20, at: [frame])
    _ = try output.write([new], against: [base], title: "a/b")
    #expect(printed.contains("\n  against 4 nanoseconds by operation: +6 nanoseconds\n"))
    #expect(printed.contains("\n  +6 work() (Work.swift:7), 100 %: own code +6\n"))
  }

  @Test func `without a folder everything is printed`() throws {
    #expect(try write([.folded], to: nil).printed == "a/b[n=1] 8\n")
    let (paths, printed) = try write([.table], to: nil)
    #expect(paths.isEmpty && printed.hasPrefix("a/b[n=1]\ncpu: 4 nanoseconds by operation, 2 operations\n"))
  }

  @Test func `what can't be written is a failure of its own`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "file")
    #expect { try write([.folded], to: file + "/sub") } throws: { ($0 as? CommandFailure)?.code == .cannotWrite }
  }

  @Test func `benchmarks whose names differ in what files can't have are told apart`() throws {
    let folder = try TemporaryFolder()
    let stream = Console.Stream(write: { _ in }, columns: nil, colour: false)
    let titles = ["a/b", "a-b"]
    let output = ProfileOutput(
      formats: [.folded], folder: folder("out"), console: Console(output: stream, error: stream),
      names: UnlikeNames.ofFiles(for: titles))
    for title in titles {
      var profile = Profile(.cpu, operations: 1)
      profile.add(8, at: [ProfileFrame(function: title, object: "o")])
      _ = try output.write([profile], title: title)
    }
    #expect(try folder.read("out/a-b.cpu.folded") == "a/b 8\n")
    #expect(try folder.read("out/a-b_2.cpu.folded") == "a-b 8\n")
  }
}
