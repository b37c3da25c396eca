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
