// Where programs of the toolchain are looked for.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ToolchainProgramTests {
  @Test func `beside the compiler, then in the path`() throws {
    let folder = try TemporaryFolder()
    for name in ["tools/swift", "tools/near", "bin/near", "bin/far"] {
      _ = try folder.write("", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder(name))
    }
    let path = folder("none") + ":" + folder("bin")
    #expect(ToolchainProgram.path(of: "near", besides: folder("tools/swift"), path: path) == folder("tools/near"))
    #expect(ToolchainProgram.path(of: "far", besides: folder("tools/swift"), path: path) == folder("bin/far"))
    #expect(ToolchainProgram.path(of: "near", besides: "swift", path: path) == folder("bin/near"))
    #expect(ToolchainProgram.path(of: "other", besides: "swift", path: path) == nil)
  }
}
