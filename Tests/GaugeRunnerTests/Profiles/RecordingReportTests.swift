// Recordings in words.

import Testing

@testable import GaugeRunner

@Suite struct RecordingReportTests {
  private func report(_ groups: [RecordingReport.Group]) -> RecordingReport {
    RecordingReport(
      facts: ["a fact"],
      threads: [
        .init(name: "thread worker", count: 8, ran: 1_500_000_000, stoodReady: 20_000_000, looks: 80, waitingLooks: 20),
        .init(name: "main thread", count: 1),
      ], groups: groups, notes: ["a note"])
  }

  private func group(_ count: Int, among: Int, fromStart: Int = 0) -> RecordingReport.Group {
    RecordingReport.Group(
      names: ["thread worker"], count: count, among: among, shortest: 1_000_000_000, longest: 2_500_000_000,
      fromStart: fromStart, cause: "futex",
      frames: [
        ProfileFrame(function: "sem_wait", object: "libc.so.6", isLibrary: true),
        ProfileFrame(function: "Pool.take()", object: "Server", file: "Server.swift", line: 31),
      ])
  }

  @Test func `facts, threads, who waits, and notes`() {
    let text = report([
      group(8, among: 8), group(1, among: 8, fromStart: 1), group(2, among: 8, fromStart: 1),
    ]).text(width: 100, colour: false)
    #expect(text.first == "a fact" && text.last == "  note: a note")
    #expect(text.contains { $0.contains("thread worker") && $0.contains("1.5 s") && $0.contains("25.0 %") }, "\(text)")
    #expect(text.contains { $0.contains("main thread") && $0.contains("unavailable") })
    #expect(text.contains("at the end 11 threads wait:"))
    #expect(text.contains("  all 8 threads of thread worker for 1 s to 2.5 s, in futex:"))
    #expect(
      text.contains {
        $0.hasPrefix("  2 threads of thread worker for at least 1 s, 1 of them since before the recording began")
      })
    #expect(text.contains("      Pool.take()  Server.swift:31") && text.contains("      sem_wait  libc.so.6"))
    #expect(text.contains("  1 thread of thread worker since before the recording began, in futex:"))
  }

  @Test func `what nobody knows is unavailable`() {
    var unknown = report([])
    unknown.waitsComplaint = "permission denied"
    #expect(unknown.text(width: 99, colour: false).contains("who waits at the end: unavailable: permission denied"))
    #expect(!unknown.text(width: 99, colour: false).contains { $0.contains("no thread waits") })
    unknown.groups = [group(1, among: 2)]
    #expect(unknown.text(width: 99, colour: false).contains { $0.hasSuffix("what is known nevertheless:") })
  }

  @Test func `what is too much is cut`() {
    var many = report([RecordingReport.Group](repeating: group(1, among: 2), count: 14))
    many.depth = 1
    let text = many.text(width: 60, colour: false)
    #expect(text.contains("      and 1 more") && text.contains("  and at 2 more places"))
    #expect(report([]).text(width: 60, colour: false).contains("at the end no thread waits"))
  }

  @Test func `system calls have names`() {
    #expect(WaitingCall.name(202, machine: 62) == "futex" && WaitingCall.name(98, machine: 183) == "futex")
    #expect(WaitingCall.name(9999, machine: 62) == "system call 9999")
    #expect(WaitingCall.name(-1, machine: 62) == "the kernel, not in a system call")
  }
}
