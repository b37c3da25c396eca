// The lock of a folder, and whose it is.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct FolderLockTests {
  @Test func `a folder is locked once at a time`() throws {
    let folder = try TemporaryFolder()
    do {
      let lock = try FolderLock.take(folder.path)
      let isHeld = lock != nil
      #expect(isHeld)
      let taken = #expect(throws: FolderLock.Taken.self) { _ = try FolderLock.take(folder.path) }
      #expect(taken?.process == nil || taken?.process == Int(getpid()))
      lock?.hold()
    }
    let again = try FolderLock.take(folder.path) != nil
    #expect(again)
    let missing = try FolderLock.take(folder("none")) == nil
    #expect(missing)
  }

  @Test func `a file that everybody may lock is made, and locked once at a time`() throws {
    let folder = try TemporaryFolder()
    let path = folder("machine.lock")
    do {
      let lock = try FolderLock.takeFile(path)
      let isHeld = lock != nil
      #expect(isHeld)
      #expect(throws: FolderLock.Taken.self) { _ = try FolderLock.takeFile(path) }
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o644)
      lock?.hold()
    }
    let again = try FolderLock.takeFile(path) != nil
    #expect(again)
  }

  @Test func `a link, a folder or a pipe in its place is left alone, and excludes nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "file")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("file"))
    try FileManager.default.createSymbolicLink(atPath: folder("dangling"), withDestinationPath: folder("none"))
    let pipe = try ProcessRun.capturing(Command(program: "mkfifo", arguments: [folder("pipe")]))
    #expect(pipe.succeeded)
    for name in ["link", "dangling", "pipe"] {
      let isFree = try FolderLock.takeFile(folder(name)) == nil
      #expect(isFree, "\(name)")
    }
    let own = try FolderLock.takeFile(folder.path) == nil
    #expect(own)
    #expect(Files.kind(of: folder("none")) == nil)
    #expect(try folder.read("file") == "mine")
    #expect(FolderLock.machineFile.hasPrefix("/tmp/gauge-"))
  }

  @Test func `the holder stands in the system's list`() {
    let list = """
      1: POSIX  ADVISORY  WRITE 11 08:01:77 0 EOF
      2: FLOCK  ADVISORY  WRITE 22 08:01:770 0 EOF
      3: FLOCK  ADVISORY  WRITE 33 08:01:77 0 EOF
      3: -> FLOCK  ADVISORY  WRITE 44 08:01:77 0 EOF
      """
    #expect(FolderLock.process(holding: 77, in: list) == 33)
    #expect(FolderLock.process(holding: 78, in: list) == nil)
  }
}
