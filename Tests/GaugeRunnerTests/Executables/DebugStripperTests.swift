// Taking debug information out of executables.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct DebugStripperTests {
  let stripper = DebugStripper(besides: "swift", path: ProcessInfo.processInfo.environment["PATH"] ?? "")

  #if os(Linux)
    @Test func `debug information goes into a file beside it, symbols stay, and it still runs`() throws {
      let stripper = try #require(stripper)
      let folder = try TemporaryFolder()
      let path = folder("gauge")
      let copied = try ProcessRun.capturing(Command(program: "cp", arguments: [GaugeExecutableTests.gauge, path]))
      try #require(copied.succeeded)
      let before = try #require(Files.stamp(of: path)).size
      #expect(stripper.strip(path))
      #expect(try #require(Files.stamp(of: path)).size < before)
      let elf = try #require(ElfFile(Files.contents(of: path)))
      #expect(elf.section(".debug_info") == nil)
      #expect(elf.functions().areAll)
      let apart = DebugStripper.path(ofDebugInformationOf: path)
      #expect(try #require(ElfFile(Files.contents(of: apart))).section(".debug_info") != nil)
      #expect(try #require(LoadedObject(path: path)).hasLines)
      let run = try ProcessRun.capturing(Command(program: path, arguments: ["--version"]), reportOn: 1)
      #expect(run.report == "gauge \(Program.version)\n", "\(run.output)")
      #expect(!stripper.strip(path))
    }
  #endif

  @Test func `other files stay as they are, and so does one that the program refuses`() throws {
    let folder = try TemporaryFolder()
    let script = try folder.script("exit 0")
    #expect(stripper?.strip(script) != true)
    let refusing = try folder.script("exit 1", named: "objcopy")
    let stripper = try #require(DebugStripper(besides: folder("none/swift"), path: folder.path))
    #expect(stripper.program == refusing)
    let copy = folder("copy")
    let copied = try ProcessRun.capturing(Command(program: "cp", arguments: [GaugeExecutableTests.gauge, copy]))
    try #require(copied.succeeded)
    #expect(!stripper.strip(copy))
    #expect(try Files.contents(of: copy) == Files.contents(of: GaugeExecutableTests.gauge))
    #expect(DebugStripper(besides: "swift", path: folder("none")) == nil)
  }
}
