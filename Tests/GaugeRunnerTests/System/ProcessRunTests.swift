// Real child processes: captured, limited in time, and ended with everything they start.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ProcessRunTests {
  func shell(_ script: String, limit: Duration? = nil, signals: PendingSignals? = nil) throws -> ProcessRun {
    try ProcessRun.capturing(
      Command(program: "/bin/sh", arguments: ["-c", script]), limit: limit, stoppingOn: signals)
  }

  @Test func `both outputs are captured together, the report apart`() throws {
    let run = try shell("echo out; echo err >&2; echo report >&3; exit 5")
    #expect(run == ProcessRun(ending: .ended(.exited(5)), output: "out\nerr\n", report: "report\n"))
    #expect(!run.succeeded)
  }

  @Test func `standard output can be the report`() throws {
    let run = try ProcessRun.capturing(
      Command(program: "/bin/sh", arguments: ["-c", "echo out; echo err >&2"]), reportOn: 1)
    #expect(run == ProcessRun(ending: .ended(.exited(0)), output: "err\n", report: "out\n"))
  }

  @Test func `a child that kills itself is told by its signal`() throws {
    #expect(try shell("echo last words; kill -ILL $$").ending == .ended(.signalled(SIGILL)))
  }

  @Test func `a child that runs for ever is killed at its limit, and its output kept`() throws {
    // On a busy machine the child may not have come to its output.
    for limit in [0.2, 2, 20, 200].map({ Duration.seconds($0) }) {
      let run = try shell("echo started; while :; do :; done", limit: limit)
      #expect(run.ending == .overdue(limit: limit))
      if run.output == "started\n" { return }
    }
    Issue.record("its output was lost")
  }

  @Test func `a child that closes its descriptors and hangs is killed too`() throws {
    let run = try shell("exec >&- 2>&- 3>&-; while :; do :; done", limit: .milliseconds(200))
    #expect(run.ending == .overdue(limit: .milliseconds(200)))
  }

  @Test func `what a child leaves running is ended with it`() throws {
    let run = try shell("sleep 1000 & echo $!")
    #expect(run.succeeded)
    let left = try #require(Int32(run.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    // The kernel needs a moment to end it; the orphan is then reaped by the system, or stays a zombie.
    while kill(left, 0) == 0 {
      let status = try? String(contentsOfFile: "/proc/\(left)/stat", encoding: .utf8)
      if status?.contains(") Z ") ?? true { break }
    }
  }

  @Test func `a signal that is pending ends the child`() throws {
    let signals = PendingSignals(blocking: [SIGUSR2])
    pthread_kill(pthread_self(), SIGUSR2)
    #expect(try shell("while :; do :; done", signals: signals).ending == .interrupted(signal: SIGUSR2))
    var set = sigset_t()
    var taken: Int32 = 0
    sigemptyset(&set)
    sigaddset(&set, SIGUSR2)
    sigwait(&set, &taken)
  }

  @Test func `a large report and a large output come through whole or at their end`() throws {
    let run = try shell(
      """
      i=0
      while [ $i -lt 3000 ]; do echo "report line $i" >&3; echo "a line of output to be cut, $i"; i=$((i+1)); done
      """)
    #expect(run.succeeded)
    #expect(run.report.split(separator: "\n").count == 3000)
    #expect(run.output.hasSuffix("a line of output to be cut, 2999\n"))
    #expect(run.output.utf8.count == ProcessRun.outputLimit)
  }

  @Test func `a streaming child prints on standard error and tells its end`() throws {
    #expect(try ProcessRun.streaming(Command(program: "/bin/sh", arguments: ["-c", "exit 7"])) == .exited(7))
  }
}
