// Tests of what the symbolizer says, in its own words.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct InlinedFramesTests {
  private static func symbol(_ name: String, _ file: String, _ line: Int, start: Int = 0, startFile: String = "")
    -> String
  {
    "{\"Column\":1,\"Discriminator\":0,\"FileName\":\"\(file)\",\"FunctionName\":\"\(name)\",\"Line\":\(line),"
      + "\"StartAddress\":\"\",\"StartFileName\":\"\(startFile)\",\"StartLine\":\(start)}"
  }

  @Test func `chains go from the function to the innermost that was put into it`() {
    let series = "$s13ExplainCorpus6SeriesV7summarySiyF"
    let symbols = [
      Self.symbol("$sSayxSicigSi_Tg5", "/<compiler-generated>", 0),
      Self.symbol(series, "/a/b/Order.swift", 46, start: 41),
      Self.symbol("$s13ExplainCorpus3runyyF", "/<compiler-generated>", 0, start: 6, startFile: "/a/b/Order.swift"),
    ]
    let text = "{\"Address\":\"0x10\",\"ModuleName\":\"e\",\"Symbol\":[\(symbols.joined(separator: ","))]}\n"
    let chains = InlinedFrames.parse(text, object: "e")
    #expect(
      chains == [
        0x10: [
          ProfileFrame(function: "run()", object: "e", file: "Order.swift"),
          ProfileFrame(function: "Series.summary()", object: "e", file: "Order.swift", line: 46, isInlined: true),
          ProfileFrame(function: "Array.subscript.getter", object: "e", isInlined: true, isLibrary: true),
        ]
      ])
  }

  @Test func `what only the table of symbols knows is left out, and so is what is not JSON`() {
    let text = """
      {"Address":"0x10","ModuleName":"e","Symbol":[\(Self.symbol("swift_release", "crtstuff.c", 0))]}
      {"Address":"0x20","ModuleName":"e","Error":{"Message":"no"}}
      error: no

      """
    #expect(InlinedFrames.parse(text, object: "e").isEmpty)
  }

  @Test func `it is looked for beside the compiler and in the path`() throws {
    let folder = try TemporaryFolder()
    let tool = try folder.script("exit 0", named: "llvm-symbolizer")
    #expect(InlinedFrames(path: "/nowhere:" + folder.path)?.tool == tool)
    #expect(InlinedFrames(path: "/nowhere") == nil)
  }

  @Test func `a tool that fails knows nothing`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.script("exit 1", named: "llvm-symbolizer")
    let frames = try #require(InlinedFrames(path: folder.path))
    #expect(frames.chains(at: [1, 2], in: "/bin/none", folder: folder.path).isEmpty)
  }
}
