// Starting programs: what they inherit, and how their end is told.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct SpawnTests {
  @Test func `a child gets exactly the environment it is given`() throws {
    let run = try ProcessRun.capturing(Command(program: "/usr/bin/env", environment: ["A": "1", "B": "two words"]))
    #expect(Set(run.output.split(separator: "\n")) == ["A=1", "B=two words"])
  }

  @Test func `arguments arrive unchanged`() throws {
    let run = try ProcessRun.capturing(Command(program: "printf", arguments: ["<%s>", "a b", "", "$HOME", "é\n"]))
    #expect(run.output == "<a b><><$HOME><é\n>")
  }

  @Test func `standard input is empty`() throws {
    #expect(try ProcessRun.capturing(Command(program: "cat")).succeeded)
  }

  @Test func `a program that isn't there is an error that names it`() {
    let error = #expect(throws: SystemError.self) {
      _ = try ProcessRun.capturing(Command(program: "/nowhere/program"))
    }
    #expect(error?.description == "cannot start /nowhere/program: No such file or directory")
  }

  /// Children of other tests may hold the program open for a moment more.
  @Test func `a program that is open for writing is tried again until it is closed`() throws {
    let folder = try TemporaryFolder()
    let program = try folder.script("exit 5")
    let writer = try FileHandle(forUpdating: URL(fileURLWithPath: program))
    var tries: [Int] = []
    let child = try Child(Command(program: program), descriptors: [], ownGroup: false) {
      tries.append($0)
      if $0 == 3 { try? writer.close() }
      return true
    }
    #expect(child.reap() == .exited(5))
    #expect(tries.starts(with: [1, 2, 3]), "\(tries)")
  }

  @Test func `a program that stays open for writing is an error`() throws {
    let folder = try TemporaryFolder()
    let program = try folder.script("exit 5")
    let writer = try FileHandle(forUpdating: URL(fileURLWithPath: program))
    defer { try? writer.close() }
    let error = #expect(throws: SystemError.self) {
      _ = try Child(Command(program: program), descriptors: [], ownGroup: false) { $0 < 2 }.reap()
    }
    #expect(error?.description == "cannot start \(program): Text file busy")
  }

  @Test func `a command line quotes what holds spaces`() {
    #expect(Command(program: "swift", arguments: ["build", "a b", ""]).line == "swift build 'a b' ''")
  }

  @Test func `endings are decoded and put in words`() {
    #expect(ChildEnding(status: 0x0300) == .exited(3))
    #expect(ChildEnding(status: 0x84) == .signalled(4))
    #expect("\(ChildEnding.exited(3))" == "exited with code 3")
    #expect("\(ChildEnding.signalled(4))" == "killed by signal 4 (Illegal instruction)")
  }
}
