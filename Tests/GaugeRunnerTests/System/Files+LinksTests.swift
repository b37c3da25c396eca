// Files and folders that must be no links.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct FilesLinksTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("mine", to: "outside/file")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("outside/file"))
    try FileManager.default.createSymbolicLink(atPath: folder("linked"), withDestinationPath: folder("outside"))
  }

  @Test func `kinds are told without following`() throws {
    #expect(Files.kind(of: folder("outside/file")) == .file)
    #expect(Files.kind(of: folder("outside")) == .folder)
    #expect(Files.kind(of: folder("link")) == .link)
    #expect(Files.kind(of: "/dev/null") == .other)
    #expect(Files.kind(of: folder("none")) == nil)
  }

  @Test func `folders are made below one, through no link and no file`() throws {
    try Files.makeFolder("a/b", below: folder.path)
    try Files.makeFolder("a/b", below: folder.path)
    #expect(Files.kind(of: folder("a/b")) == .folder)
    let link = #expect(throws: SystemError.self) { try Files.makeFolder("linked/b", below: folder.path) }
    #expect(
      link?.description
        == "cannot write below \(folder("linked")): \(folder("linked")) is a link, which is not followed")
    #expect(Files.kind(of: folder("outside/b")) == nil)
    #expect(throws: SystemError.self) { try Files.makeFolder("outside/file/b", below: folder.path) }
    #expect(throws: SystemError.self) { try Files.makeFolder("b", below: folder("none")) }
  }

  @Test func `only regular files are read`() throws {
    #expect(try Files.plainContents(of: folder("outside/file")) == Array("mine".utf8))
    for name in ["link", "outside", "none"] {
      #expect(throws: SystemError.self) { try Files.plainContents(of: folder(name)) }
    }
    #expect(throws: SystemError.self) { try Files.plainContents(of: "/dev/zero") }
  }

  @Test func `a link in the place of a file is replaced, and so is one in the place of the new file`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder("link.new"), withDestinationPath: folder("outside/file"))
    try Files.replace(folder("link"), with: Array("new".utf8))
    #expect(Files.kind(of: folder("link")) == .file)
    #expect(try folder.read("link") == "new")
    #expect(try folder.read("outside/file") == "mine")
    #expect(throws: SystemError.self) { try Files.replace(folder("none/file"), with: []) }
    #expect(throws: SystemError.self) { _ = try Descriptor.creating(folder("linked")) }
    #expect(throws: SystemError.self) { _ = try Descriptor.appending(to: folder("link.new"), emptied: true) }
    #expect(throws: SystemError.self) { try Files.replace(folder("outside"), with: []) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "link", "link.new", "linked", "outside",
      ])
    #expect(Files.kindBehindLinks(folder("link.new")) == .file && Files.kindBehindLinks("/dev/null") == .other)
  }

  @Test func `who waits for the new file's name with links has nothing of it`() throws {
    let path = folder.path
    let attacker = Thread {
      func folder(_ name: String) -> String { "\(path)/\(name)" }
      // Every name that it might be, and what it is once it is there.
      while !Thread.current.isCancelled {
        for name in ["raced.new", "raced.0.new", "raced.tmp"] {
          try? FileManager.default.createSymbolicLink(
            atPath: folder(name), withDestinationPath: folder("outside/file"))
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where name.hasPrefix("raced.") && Files.kind(of: folder(name)) == .file {
          Files.remove(folder(name))
          try? FileManager.default.createSymbolicLink(
            atPath: folder(name), withDestinationPath: folder("outside/file"))
        }
      }
    }
    attacker.start()
    for number in 0..<200 { _ = try? Files.replace(folder("raced"), with: Array("\(number)".utf8)) }
    attacker.cancel()
    #expect(try folder.read("outside/file") == "mine")
  }

  @Test func `a touched file is young`() throws {
    let path = folder("outside/file")
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: path)
    Files.touch(path)
    #expect(try #require(Files.stamp(of: path)).modified > 1_000_000_000_000_000)
  }

  @Test func `below a package no folder may be a link, above it any`() throws {
    try FileManager.default.createDirectory(atPath: folder("outside/package"), withIntermediateDirectories: true)
    try folder.write("", to: "outside/package/Package.swift")
    try FileManager.default.createSymbolicLink(
      atPath: folder("outside/package/results"), withDestinationPath: folder("outside"))
    try Files.makeFolder(folder("linked/package/out/a"))
    #expect(Files.kind(of: folder("outside/package/out/a")) == .folder)
    for path in ["linked/package/results/x", "outside/package/results", "outside/package/out/../results/x"] {
      let failure = #expect(throws: SystemError.self) { try Files.makeFolder(folder(path)) }
      #expect(failure?.reason.hasSuffix("is a link, which is not followed") == true)
    }
    #expect(Files.kind(of: folder("outside/x")) == nil)
    try Files.makeFolder(folder("outside/package/../../linked/y"))
    #expect(Files.kind(of: folder("outside/y")) == .folder)
  }
}
