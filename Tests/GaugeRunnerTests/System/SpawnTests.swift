// Starting programs: what they inherit, and how their end is told.

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
