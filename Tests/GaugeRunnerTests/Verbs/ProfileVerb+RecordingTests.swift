// `gauge profile --read` from the command line to tables, files and codes.

import Foundation
import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct ProfileVerbRecordingTests {
  let folder: TemporaryFolder
  let program = CapturedProgram()

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8]) throws -> String {
    try Files.replace(folder("server-1.gauge"), with: bytes)
    return folder("server-1.gauge")
  }

  @Test func `a recording is shown as text and tables`() throws {
    #expect(program("profile", "--read", try write(WrittenRecording.example.bytes)) == 0, "\(program.error)")
    #expect(program.output.contains("at the end 1 thread waits:\n"))
    #expect(program.output.contains("cpu: 12000000 nanoseconds by second, 2 seconds\n"), "\(program.output)")
    #expect(program.output.contains("waits: 950000000 nanoseconds by second"))
  }

  @Test func `each form has its file`() throws {
    let path = try write(WrittenRecording.example.bytes)
    #expect(
      program("profile", "--read", path, "--format", "html,folded,pprof,speedscope", "--output", folder("out")) == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder("out")).sorted()
    #expect(
      files == [
        "server-1.cpu.folded", "server-1.cpu.html", "server-1.cpu.pb.gz", "server-1.cpu.speedscope.json",
        "server-1.waits.folded",
      ])
    #expect(try folder.read("out/server-1.cpu.html").contains("at the end 1 thread waits:"))
    #expect(try folder.read("out/server-1.waits.folded").contains("program;thread worker;"))
    #expect(try folder.read("out/server-1.waits.folded").hasSuffix(";waiting: futex 1900000000\n"))
  }

  @Test func `what is none, or goes with something else, is refused`() throws {
    #expect(program("profile", "--read", folder("missing")) == 66)
    let path = try write([])
    #expect(program("profile", "--read", path) == 65)
    #expect(program.error.contains("the file is empty") && program.error.contains("Recorder.start"))
    #expect(program("profile", "--read", path, "--kind", "alloc") == 64)
    #expect(program("profile", "--read", path, "a/b") == 64)
    #expect(program("profile", "--symbols", path) == 64)
    #expect(program("profile", "--read", try write(WrittenRecording.example.bytes), "--symbols", folder("no")) == 66)
  }
}
