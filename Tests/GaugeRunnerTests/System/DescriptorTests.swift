// Appending whole records, and pipes that don't block.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct DescriptorTests {
  @Test func `appending creates a file, and keeps or empties what it holds`() throws {
    let folder = try TemporaryFolder()
    for (emptied, text) in [(false, "one\n"), (false, "two\n"), (true, "three\n")] {
      let file = try Descriptor.appending(to: folder("file"), emptied: emptied)
      try file.append(Array(text.utf8))
    }
    #expect(try folder.read("file") == "three\n")
    let file = try Descriptor.appending(to: folder("file"), emptied: false)
    try file.append(Array("four\n".utf8))
    #expect(try folder.read("file") == "three\nfour\n")
  }

  @Test func `a file is cut, and made with the permissions that are asked for`() throws {
    let folder = try TemporaryFolder()
    let file = try Descriptor.creating(folder("file"), mode: 0o700)
    try file.append(Array("whole, half".utf8))
    try file.cut(to: 5)
    try file.append(Array("!".utf8))
    #expect(try folder.read("file") == "whole!")
    #expect(FileManager.default.isExecutableFile(atPath: folder("file")))
  }

  @Test func `a file in a missing folder can't be opened, and the error names it`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SystemError.self) {
      _ = try Descriptor.appending(to: folder("missing/file"), emptied: false)
    }
    #expect(error?.description == "cannot write \(folder("missing/file")): No such file or directory")
  }

  @Test func `a full device refuses an append`() {
    let error = #expect(throws: SystemError.self) {
      let full = try Descriptor.appending(to: "/dev/full", emptied: false)
      try full.append(Array("text".utf8))
    }
    #expect(error?.reason == "No space left on device")
  }

  @Test func `a pipe has nothing, then bytes, then an end`() throws {
    var pipe = try Pipe.make()
    guard case .nothing = pipe.reading.readAvailable() else {
      Issue.record("an empty pipe gave something")
      return
    }
    try pipe.writing.append([1, 2, 3])
    guard case .bytes([1, 2, 3]) = pipe.reading.readAvailable() else {
      Issue.record("the bytes didn't come through")
      return
    }
    pipe.writing.closeNow()
    // A child that another test starts at this moment may hold the writing end until it runs its program.
    while case .nothing = pipe.reading.readAvailable() {}
    guard case .end = pipe.reading.readAvailable() else {
      Issue.record("a pipe without writers didn't end")
      return
    }
  }

  @Test func `pipes leave the low numbers alone`() throws {
    let pipe = try Pipe.make()
    #expect(pipe.reading.number >= 10)
    #expect(pipe.writing.number >= 10)
  }
}
