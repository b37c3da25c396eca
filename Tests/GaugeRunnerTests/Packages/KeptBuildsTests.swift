// The store of kept builds: once each, verified, within its limit, and through no link.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct KeptBuildsTests {
  let folder: TemporaryFolder
  let kept: KeptBuilds

  init() throws {
    folder = try TemporaryFolder()
    kept = KeptBuilds(package: folder("package"))
    try folder.write("", to: "package/Package.swift")
  }

  /// A build of an executable with some text in it.
  private func source(_ text: String, results: String = "results") throws -> KeptBuilds.Source {
    let path = try folder.script("echo \(text)", named: "Fast")
    try folder.write("shared", to: "p.resources/data")
    return KeptBuilds.Source(
      results: Array(results.utf8), commit: "abc", executables: [path], terms: BuildTerms(of: [], toolchain: { "" }),
      date: Date(timeIntervalSince1970: 0))
  }

  @discardableResult
  private func keep(_ name: String, _ text: String, limit: Int = KeptBuilds.usualLimit) throws -> KeptBuild {
    try kept.keep(name, try source(text), stripper: nil, limit: limit)
  }

  private var objects: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: kept.folder + "/objects").sorted() }
  }

  @Test func `a build is kept, and laid out as it was`() throws {
    let build = try keep("main", "one")
    #expect(build.files.map(\.path) == ["Fast", "p.resources/data"])
    #expect(build.files.map(\.isExecutable) == [true, false])
    #expect(try kept.build(named: "main") == build)
    #expect(kept.names == ["main"])
    try folder.write("old", to: "package/.gauge/ab/kept/old")
    let paths = try kept.layOut(build, in: ".gauge/ab/kept")
    #expect(try ProcessRun.capturing(Command(program: paths[0]), reportOn: 1).report == "one\n")
    #expect(try folder.read("package/.gauge/ab/kept/p.resources/data") == "shared")
    #expect(Files.kind(of: folder("package/.gauge/ab/kept/old")) == nil)
    #expect(try kept.contents(of: build.results) == Array("results".utf8))
    #expect(Files.kind(of: kept.folder + "/incoming") == nil)
  }

  @Test func `the same content is kept once`() throws {
    try keep("one", "a")
    #expect(try objects.count == 3)
    try keep("two", "a")
    #expect(try objects.count == 3)
    try keep("three", "b")
    #expect(try objects.count == 4)
    #expect(try kept.usage().files == 4)
    #expect(try kept.usage().unreferred == 0)
  }

  @Test func `removing frees what no other baseline refers to`() throws {
    try keep("one", "a")
    let two = try keep("two", "b")
    #expect(try kept.remove("two") == two.files[0].size)
    #expect(kept.names == ["one"])
    #expect(try objects.count == 3)
    #expect(try kept.remove("two") == 0)
    #expect(try kept.remove("../one") == 0)
  }

  @Test func `the oldest files that no baseline refers to make room, and no others`() throws {
    for (age, text) in ["a", "b", "c"].enumerated() {
      let build = try keep("main", text)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1000 + Double(age))],
        ofItemAtPath: kept.folder + "/objects/" + build.files[0].hash)
    }
    let usage = try kept.usage()
    #expect(usage.files == 5)
    let one = try #require(try kept.build(named: "main")).files[0].size
    #expect(usage.unreferred == 2 * one)
    // Room for three executables: the newer of the two old ones stays.
    let limit = usage.bytes
    let build = try keep("other", "d", limit: limit)
    #expect(try kept.usage().bytes == limit)
    #expect(try kept.usage().unreferred == one)
    #expect(try kept.layOut(build, in: "out").count == 1)
    #expect(try kept.layOut(#require(try kept.build(named: "main")), in: "out").count == 1)
  }

  @Test func `what baselines refer to isn't removed for room`() throws {
    let build = try keep("main", "a")
    let failure = #expect(throws: KeptBuilds.Failure.self) { try keep("other", "b", limit: build.size) }
    guard case .full(let needed, let taken, _)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(needed == build.size + build.files[0].size)
    #expect(taken == [KeptBuilds.Taken(name: "main", size: build.size)])
    #expect(kept.names == ["main"])
    #expect(try kept.layOut(build, in: "out").count == 1)
    // In place of itself it fits.
    try keep("main", "b", limit: build.size)
  }

  @Test func `content that is another than its name says isn't run`() throws {
    let build = try keep("main", "a")
    let path = kept.folder + "/objects/" + build.files[0].hash
    try Files.replace(path, with: Array("#!/bin/sh\necho evil\n".utf8))
    #expect(
      throws: KeptBuilds.Failure.damaged(path: path, reason: "its content is another than its name says (Fast)")
    ) { try kept.layOut(build, in: "out") }
    #expect(Files.kind(of: folder("package/out/Fast")) == nil)
    // Saving it again heals it.
    try keep("main", "a")
    #expect(try kept.layOut(build, in: "out").count == 1)
    Files.remove(path)
    #expect(throws: KeptBuilds.Failure.damaged(path: path, reason: "it is gone (Fast)")) {
      try kept.layOut(build, in: "out")
    }
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/sh")
    #expect(throws: KeptBuilds.Failure.damaged(path: path, reason: "it is no file (Fast)")) {
      try kept.layOut(build, in: "out")
    }
    #expect(throws: KeptBuilds.Failure.self) { try kept.contents(of: build.files[0]) }
  }

  @Test func `a record that is damaged or a link is told, and can be removed`() throws {
    try keep("main", "a")
    try folder.write("{", to: "package/.gauge/kept/main.json")
    #expect(throws: KeptBuilds.Failure.self) { try kept.build(named: "main") }
    #expect(throws: KeptBuilds.Failure.self) { try kept.usage() }
    #expect(try kept.remove("main") == 0)
    #expect(try kept.usage().unreferred > 0)
    try folder.write("{}", to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: kept.folder + "/main.json", withDestinationPath: folder("elsewhere"))
    #expect(throws: KeptBuilds.Failure.self) { try kept.build(named: "main") }
    #expect(try kept.build(named: "../main") == nil)
    #expect(try kept.build(named: "none") == nil)
  }

  @Test func `nothing is written or removed through a link`() throws {
    try folder.write("", to: "outside/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder("package/.gauge"), withDestinationPath: folder("outside"))
    #expect(throws: KeptBuilds.Failure.self) { try keep("main", "a") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("outside")) == ["file"])
    try FileManager.default.removeItem(atPath: folder("package/.gauge"))
    let build = try keep("main", "a")
    try FileManager.default.moveItem(atPath: kept.folder, toPath: folder("outside/kept"))
    try FileManager.default.createSymbolicLink(atPath: kept.folder, withDestinationPath: folder("outside/kept"))
    #expect(throws: KeptBuilds.Failure.unwritable(path: kept.folder, reason: "it is a link")) {
      try kept.remove("main")
    }
    #expect(throws: KeptBuilds.Failure.self) { try keep("main", "b") }
    #expect(throws: KeptBuilds.Failure.self) { try kept.layOut(build, in: "out") }
    #expect(Files.kind(of: folder("outside/kept/main.json")) == .file)
  }

  @Test func `a second one at work is told`() throws {
    let build = try keep("main", "a")
    let lock = try FolderLock.take(kept.folder)
    #expect(throws: KeptBuilds.Failure.self) { try keep("main", "b") }
    #expect(throws: KeptBuilds.Failure.self) { try kept.layOut(build, in: "out") }
    lock?.hold()
  }

  @Test func `an executable that is gone isn't kept`() throws {
    var gone = try source("a")
    gone.executables = [folder("none")]
    let failure = #expect(throws: KeptBuilds.Failure.self) {
      try kept.keep("main", gone, stripper: nil, limit: KeptBuilds.usualLimit)
    }
    #expect(failure != nil && kept.names == [])
  }
}
