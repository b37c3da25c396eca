// The note that tells which version of Gauge is in a build.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct GaugeSourcesTests {
  @Test func `the note changes with the sources that were compiled`() throws {
    let folder = try TemporaryFolder()
    let build = folder("build")
    try folder.write("let a = 1", to: "weir/Sources/Gauge/A.swift")
    try folder.write("int b;", to: "weir/Sources/CProbes/b.c")
    try folder.write(folder("weir/Sources/Gauge/A.swift") + "\n", to: "build/Gauge.build/sources")
    GaugeSources.note(in: build)
    let first = try #require(GaugeSources.version(beside: build + "/Fast"))
    #expect(first.count == 64)
    try folder.write("an article", to: "weir/Sources/Gauge/Gauge.docc/A.md")
    GaugeSources.note(in: build)
    #expect(GaugeSources.version(beside: build + "/Fast") == first)
    try folder.write("int c;", to: "weir/Sources/CProbes/b.c")
    GaugeSources.note(in: build)
    #expect(GaugeSources.version(beside: build + "/Fast") != first)
  }

  @Test func `a build that doesn't say where its sources are has no version`() throws {
    let folder = try TemporaryFolder()
    GaugeSources.note(in: folder.path)
    #expect(GaugeSources.version(beside: folder("Fast")) == nil)
    try folder.write("elsewhere/A.swift\n", to: "Gauge.build/sources")
    GaugeSources.note(in: folder.path)
    #expect(GaugeSources.version(beside: folder("Fast")) == nil)
  }

  @Test func `a folder's hash is one of names and contents`() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "one/a")
    try folder.write("x", to: "two/one/a")
    try folder.write("x", to: "three/one/b")
    func hash(_ name: String) -> String { FolderHash([folder(name)]).hexadecimal }
    #expect(hash("one") == hash("two/one"))
    #expect(hash("one") != hash("three/one"))
    #expect(hash("none") == FolderHash([]).hexadecimal)
    var more = FolderHash([folder("one")])
    more.add(fact: "2 processors")
    #expect(more.hexadecimal != hash("one"))
  }
}
