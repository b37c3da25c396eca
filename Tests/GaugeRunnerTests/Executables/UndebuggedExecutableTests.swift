// Executables without debug information: files that the compiler made, and files that are none.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct UndebuggedExecutableTests {
  #if os(Linux)
    @Test func `debug sections lose their names, the size stays, and it still runs`() throws {
      let original = try Files.contents(of: GaugeExecutableTests.gauge)
      let bytes = try #require(UndebuggedExecutable.bytes(from: original))
      #expect(bytes.count == original.count)
      #expect(bytes != original)
      #expect(UndebuggedExecutable.bytes(from: bytes) == nil)

      let folder = try TemporaryFolder()
      _ = FileManager.default.createFile(
        atPath: folder("gauge"), contents: Data(bytes), attributes: [.posixPermissions: 0o755])
      let run = try ProcessRun.capturing(
        Command(
          program: "/bin/sh", arguments: ["-c", #"cp "$1" "$1.copy" && "$1.copy" --version"#, "sh", folder("gauge")]),
        reportOn: 1)
      #expect(run.report == "gauge \(Program.version)\n", "\(run.output)")
    }

    @Test func `a file that breaks off anywhere in its head is left alone`() throws {
      let original = try Files.contents(of: GaugeExecutableTests.gauge)
      for length in [0, 1, 4, 6, 20, 63, 64, 1000, original.count / 2] {
        #expect(UndebuggedExecutable.bytes(from: Array(original.prefix(length))) == nil)
      }
    }
  #endif

  @Test func `other files are left alone`() {
    #expect(UndebuggedExecutable.bytes(from: Array("#!/bin/sh\n.debug_info\n".utf8)) == nil)
    let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1]
    #expect(UndebuggedExecutable.bytes(from: magic + [UInt8](repeating: 0, count: 100)) == nil)
    #expect(UndebuggedExecutable.bytes(from: magic + [UInt8](repeating: 0xff, count: 100)) == nil)
  }
}
