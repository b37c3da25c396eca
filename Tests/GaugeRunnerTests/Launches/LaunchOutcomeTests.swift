// What a finished child process says of its launch.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct LaunchOutcomeTests {
  static let head = "gauge-launch\t1\n"
  static let metric = "metric\ttime\tns/op\tlower\tsampled\t100\t5\t2.5\n"
  static let measurement = Measurement(.time, .value(2.5), iterations: 100, samples: 5)

  func outcome(_ ending: ProcessRun.Ending, _ report: String, output: String = "out\n") -> LaunchOutcome {
    LaunchOutcome(ProcessRun(ending: ending, output: output, report: report))
  }

  @Test func `a whole report is measured or skipped`() {
    #expect(outcome(.ended(.exited(0)), Self.head + Self.metric + "done\n") == .measured([Self.measurement]))
    #expect(outcome(.ended(.exited(0)), Self.head + "skipped\tnot here\n") == .skipped("not here"))
    let empty = ProcessRun(ending: .ended(.exited(0)), output: "", report: Self.head + "done\n")
    #expect(LaunchOutcome(empty, mayMeasureNothing: true) == .measured([]))
  }

  @Test(arguments: [
    (ProcessRun.Ending.ended(.exited(1)), head + "failed\tthe benchmark threw: x\n", "the benchmark threw: x"),
    (.ended(.exited(0)), head + "failed\todd\n", "odd"),
    (.ended(.exited(0)), head + metric, "ended before its report was whole"),
    (.ended(.exited(0)), "", "ended before its report was whole"),
    (.ended(.exited(0)), head + "done\n", "reported no measurement"),
    (.ended(.exited(7)), head + metric, "exited with code 7"),
    (.ended(.signalled(4)), head + metric, "killed by signal 4 (Illegal instruction)"),
    (.ended(.signalled(11)), head + metric + "done\n", "killed by signal 11 (Segmentation fault) after its report"),
    (.ended(.exited(3)), head + metric + "done\n", "exited with code 3 after its report"),
    (.overdue(limit: .milliseconds(10_500)), head + metric, "did not end within 10.5 s (--time-limit allows more)"),
    (.overdue(limit: .seconds(20)), head, "did not end within 20 s (--time-limit allows more)"),
    (
      .ended(.exited(0)), head + "metric\ttime\n",
      "line 2 of its report is damaged: an unknown record or the wrong number of fields in 'metric\ttime'"
    ),
  ])
  func `everything else is broken, with its reason`(ending: ProcessRun.Ending, report: String, reason: String) {
    #expect(outcome(ending, report) == .broken(reason: reason, output: "out"))
  }

  /// A single one would make the whole result file unreadable.
  @Test(arguments: [
    ("metric\tdepth\t1\tlower\tsampled\t1\t1\t1e200\n", "1e+200 as depth"),
    ("metric\tdepth\t1\tlower\tsampled\t1\t1\tinf\n", "inf as depth"),
    ("metric\tlatency_p50\tns\tlower\tsampled\t1\t1\t-1\n", "-1.0 as latency_p50"),
    ("metric\tdepth\t1\tlower\tsampled\t-1\t1\t1\n", "-1 operations and 1 samples of depth"),
    (
      "metric\tdepth\t1\tlower\tsampled\t1\t\(Int.max)\t1\n",
      "1 operations and 9223372036854775807 samples of depth"
    ),
    ("metric\tfault\t1\tlower\tsampled\t1\t1\t1\n", "'fault' as the name of a metric"),
    ("metric\t\t1\tlower\tsampled\t1\t1\t1\n", "'' as the name of a metric"),
    (metric, "time more than once"),
    (
      "unavailable\tdepth\t\(String(repeating: "u", count: 1001))\tlower\tsampled\tno\n",
      "a unit of depth of more than 1000 bytes"
    ),
    (
      "unavailable\t\(String(repeating: "d", count: 10_001))\t1\tlower\tsampled\tno\n",
      "a metric whose name has more than 10000 bytes"
    ),
  ])
  func `what no result file can hold is broken`(line: String, reason: String) throws {
    let outcome = outcome(.ended(.exited(0)), Self.head + Self.metric + line + "done\n")
    #expect(outcome == .broken(reason: "reported " + reason, output: "out"))
  }

  @Test(arguments: ["failed", "skipped", "unavailable\tdepth\t1\tlower\tsampled", "odd"])
  func `words of any length have room in a result file`(beginning: String) throws {
    let words = String(repeating: "\\\"", count: 1 << 16)
    let ending = beginning.hasPrefix("unavailable") ? "\ndone\n" : "\n"
    let line = beginning + "\t" + words.replacing("\\", with: "\\\\") + ending
    let outcome = outcome(.ended(.exited(0)), Self.head + line)
    let text: String
    switch outcome {
    case .broken(let reason, _), .skipped(let reason): text = reason
    case .measured(let measurements):
      guard case .unavailable(let reason)? = measurements.first?.outcome else { preconditionFailure("a value") }
      text = reason
    case .interrupted: preconditionFailure("nobody did")
    }
    #expect(text.unicodeScalars.count == 2002 && text.hasSuffix("\" …") || text.hasSuffix("\\ …"), "\(text.count)")
    let fault = BenchmarkFault(benchmark: "a", parameters: "", reason: text, output: text)
    let file = ResultFormat.head(environment: []) + ResultFormat.line(fault)
    #expect(try ResultFile.parse(Array(file.utf8), path: "f").results.faults == [fault])
  }

  @Test func `an interrupt is no fault`() {
    #expect(outcome(.interrupted(signal: 2), Self.head) == .interrupted(signal: 2))
  }

  @Test func `what two launches count alike is exact, and the rest sampled`() {
    func counts(_ instructions: Double, _ retains: Double) -> LaunchOutcome {
      .measured([
        Measurement(.instructions, .value(instructions), iterations: 10, samples: 1),
        Measurement(.retains, .value(retains), iterations: 10, samples: 1),
      ])
    }
    #expect(LaunchOutcome.counted(counts(307, 2), again: counts(307, 2)) == counts(307, 2))
    guard case .measured(let measurements) = LaunchOutcome.counted(counts(307, 2), again: counts(308, 2)) else {
      Issue.record("nothing is measured")
      return
    }
    #expect(measurements.map(\.metric.kind) == [.sampled, .exact])
    #expect(measurements.map(\.outcome) == [.value(307), .value(2)])
    let broken = LaunchOutcome.broken(reason: "why", output: "")
    #expect(LaunchOutcome.counted(counts(1, 1), again: broken) == broken)
    #expect(LaunchOutcome.counted(broken, again: counts(1, 1)) == broken)
    #expect(LaunchOutcome.counted(counts(1, 1), again: .skipped("no")) == .skipped("no"))
  }

  @Test func `of the output only the end is kept`() {
    let lines = (1...50).map { "line \($0)" }
    #expect(LaunchOutcome.excerpt(of: lines.joined(separator: "\n") + "\n\n") == lines[30...].joined(separator: "\n"))
    #expect(LaunchOutcome.excerpt(of: String(repeating: "x", count: 5000)).count == 2000)
    #expect(LaunchOutcome.excerpt(of: "\n \n") == "")
  }

  /// What Swift's runtime prints of a crash, shortened: registers and images take more lines than a fault keeps.
  static let backtrace =
    """

    *** Signal 4: Backtracing from 0x561b... done ***

    *** Program crashed: Illegal instruction at 0x0000561b78afbf41 ***

    Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

    Thread 0 "d" crashed:

      0  0x0000561b78afbf41 _assertionFailure(_:_:file:line:flags:) + 225 in d
      1  0x0000561b78afbf50 inner(_:) + 12 in d at /src/d.swift:1:60

    Thread 1:

      0  0x00007f0000000000 poll + 12 in libc.so.6


    Registers:

    """ + (1...30).map { "r\($0) 0x0000000000000000  0\n" }.joined()

  @Test func `a fatal error comes first, with its frames, and what was printed before comes last`() {
    let output = "about to\nd/d.swift:1: Fatal error: too many\nreally\n" + Self.backtrace
    #expect(
      LaunchOutcome.excerpt(of: output) == """
        d/d.swift:1: Fatal error: too many
        really
          0  0x0000561b78afbf41 _assertionFailure(_:_:file:line:flags:) + 225 in d
          1  0x0000561b78afbf50 inner(_:) + 12 in d at /src/d.swift:1:60
        printed before:
        about to
        """)
  }

  @Test func `a crash without a message begins with what the runtime calls it`() {
    #expect(
      LaunchOutcome.excerpt(of: Self.backtrace) == """
        *** Program crashed: Illegal instruction at 0x0000561b78afbf41 ***
          0  0x0000561b78afbf41 _assertionFailure(_:_:file:line:flags:) + 225 in d
          1  0x0000561b78afbf50 inner(_:) + 12 in d at /src/d.swift:1:60
        printed before:
        *** Signal 4: Backtracing from 0x561b... done ***
        """)
  }

  @Test func `a fatal error without a backtrace is all that is told, within the bounds`() {
    #expect(LaunchOutcome.excerpt(of: "d.swift:1: Fatal error: no\n") == "d.swift:1: Fatal error: no")
    let long = "Fatal error: " + String(repeating: "x", count: 5000) + "\n"
    #expect(LaunchOutcome.excerpt(of: "before\n" + long).count == 2000)
  }
}
