// What LLVM's symboliser answers, and what is made of its absence.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct SourceLinesTests {
  @Test func `a path can't end its question`() {
    #expect(SourceLines.question("/a b/é", 31) == "CODE \"/a b/é\" 0x1f\n")
    for path in ["/a\" 0x1\nCODE \"/b", "/a\u{600}\"", "/a\r\n", "/a\\"] {
      #expect(SourceLines.question(path, 1) == "CODE \"/dev/null\" 0x1\n")
    }
  }

  @Test func `answers are functions from the innermost outwards`() {
    let text = """
      $s4Test5innerSiyF
      /a b/Inner.swift:12:7
      $s4Test5outerSiyF
      /a/Outer.swift:3:0

      ??
      ??:0:0

      free
      /libc/malloc.c:0:0


      """
    #expect(
      SourceLines.parse(text) == [
        [
          .init(symbol: "$s4Test5innerSiyF", file: "/a b/Inner.swift", line: 12),
          .init(symbol: "$s4Test5outerSiyF", file: "/a/Outer.swift", line: 3),
        ],
        [.init(symbol: "", file: nil, line: nil)], [.init(symbol: "free", file: nil, line: nil)],
      ])
  }

  @Test func `it is found beside the compiler, then in the path`() throws {
    let folder = try TemporaryFolder()
    for name in ["tools/bin/swift", "tools/bin/llvm-symbolizer", "bin/llvm-symbolizer", "empty/file"] {
      try folder.write("", to: name)
    }
    for name in ["tools/bin/swift", "tools/bin/llvm-symbolizer", "bin/llvm-symbolizer"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder(name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder("bin/swift"), withDestinationPath: folder("tools/bin/swift"))
    let beside = SourceLines(besides: "swift", path: folder("bin"))
    #expect(beside?.program.hasSuffix("/tools/bin/llvm-symbolizer") ?? false)
    #expect(SourceLines(besides: "/nowhere/swift", path: folder("bin"))?.program == folder("bin/llvm-symbolizer"))
    #expect(SourceLines(besides: "/nowhere/swift", path: folder("empty")) == nil)
  }

  @Test func `one that answers nothing, or fails, says nothing`() throws {
    let folder = try TemporaryFolder()
    let place = StackUnwinder.Place(path: "/bin/true", address: 16)
    for body in ["exit 0", "cat; exit 3", "echo"] {
      let lines = SourceLines(program: try folder.script(body, named: "symbolizer"))
      #expect(lines.entries(for: [place], scratch: folder("addresses")) == nil)
    }
    let lines = SourceLines(program: folder("missing"))
    #expect(lines.entries(for: [place], scratch: folder("addresses")) == nil)
    #expect(lines.entries(for: [], scratch: folder("addresses")) == [])
    #expect(lines.entries(for: [place], scratch: "/nowhere/addresses") == nil)
    #expect(Files.stamp(of: folder("addresses")) == nil)
  }

  @Test func `all addresses are asked for at once`() throws {
    let folder = try TemporaryFolder()
    let lines = SourceLines(
      program: try folder.script(
        "while read -r line; do printf '%s\\nf.swift:1:1\\n\\n' \"$line\"; done", named: "symbolizer"))
    let places = [("/a b", 16), ("/c", 17)].map { StackUnwinder.Place(path: $0.0, address: UInt64($0.1)) }
    #expect(
      lines.entries(for: places, scratch: folder("addresses")) == [
        [.init(symbol: "CODE \"/a b\" 0x10", file: "f.swift", line: 1)],
        [.init(symbol: "CODE \"/c\" 0x11", file: "f.swift", line: 1)],
      ])
  }
}
