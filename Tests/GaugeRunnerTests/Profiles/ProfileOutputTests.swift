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
}
