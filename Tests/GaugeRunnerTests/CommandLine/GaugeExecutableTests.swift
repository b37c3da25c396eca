// The built command, killed and interrupted in the middle of a run. It has one thread, as signals need it, so that only
// the real process can show this.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct GaugeExecutableTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Path of the command, which is built beside the tests.
  static let gauge = (Bundle.main.executablePath.map { ($0 as NSString).deletingLastPathComponent } ?? "") + "/gauge"

  /// Runs the command over a benchmark that sends its runner a signal in its fourth launch, and then hangs or not.
  func run(signal: String, then: String, at launch: Int = 4) throws -> ProcessRun {
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\nbenchmark\tb\t\ttime\n'; exit; fi
      echo launch >> '\#(folder("launches"))'
      if [ $(wc -l < '\#(folder("launches"))') -eq \#(launch) ]; then kill -\#(signal) $PPID; \#(then); fi
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t2.5\ndone\n' >&3
      """#)
    return try gauge("--executable", executable, "--launches", "5", "--seed", "7")
  }

  func gauge(_ options: String...) throws -> ProcessRun {
    try ProcessRun.capturing(
      Command(program: Self.gauge, arguments: ["run", "--output", folder("f.csv"), "--color", "never"] + options))
  }

  @Test func `a killed run leaves a file with every finished launch`() throws {
    let run = try run(signal: "KILL", then: ":")
    #expect(run.ending == .ended(.signalled(SIGKILL)))
    let contents = try ResultFile.read(folder("f.csv"))
    #expect(contents.warnings.isEmpty)
    #expect(contents.results.rows.map(\.sequence) == [0, 1, 2])
  }

  @Test(arguments: 1...10) func `a run that was killed in any launch is completed`(launch: Int) throws {
    #expect(try run(signal: "KILL", then: "exit", at: launch).ending == .ended(.signalled(SIGKILL)))
    #expect(try ResultFile.read(folder("f.csv")).results.rows.count == launch - 1)
    let resumed = try gauge("--executable", folder("benchmarks"), "--resume")
    #expect(resumed.ending == .ended(.exited(0)), "\(resumed.output)")
    let contents = try ResultFile.read(folder("f.csv"))
    #expect(contents.warnings.isEmpty)
    #expect(contents.results.rows.map(\.sequence) == Array(0..<10))
    // The killed launch ran a second time, the others once.
    #expect(folder.launches().count == 11)
    let again = try gauge("--executable", folder("benchmarks"), "--resume")
    #expect(again.ending == .ended(.exited(0)))
    #expect(again.output.contains("is complete\n"))
    #expect(folder.launches().count == 11)
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)] as [(String, Int32)])
  func `an interrupted run ends its launch, keeps the file and says so`(signal: String, code: Int32) throws {
    let run = try run(signal: signal, then: "while :; do :; done")
    #expect(run.ending == .ended(.exited(code)), "\(run.output)")
    #expect(run.output.contains("\(folder("f.csv")) holds 3 of 10 launches\n"))
    let contents = try ResultFile.read(folder("f.csv"))
    #expect(contents.results.rows.map(\.sequence) == [0, 1, 2])
    #expect(contents.results.faults.isEmpty)
  }

  @Test func `verbs and codes reach the process`() throws {
    let run = try ProcessRun.capturing(Command(program: Self.gauge, arguments: ["--version"]), reportOn: 1)
    #expect(run.succeeded)
    #expect(run.report == "gauge \(Program.version)\n")
    #expect(try ProcessRun.capturing(Command(program: Self.gauge)).ending == .ended(.exited(64)))
  }
}
