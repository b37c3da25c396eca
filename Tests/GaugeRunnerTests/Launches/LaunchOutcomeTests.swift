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
    (.overdue(limit: .milliseconds(10_500)), head + metric, "did not end within 10.5 s"),
    (.overdue(limit: .seconds(20)), head, "did not end within 20 s"),
    (
      .ended(.exited(0)), head + "metric\ttime\n",
      "line 2 of its report is damaged: an unknown record or the wrong number of fields in 'metric\ttime'"
    ),
  ])
  func `everything else is broken, with its reason`(ending: ProcessRun.Ending, report: String, reason: String) {
    #expect(outcome(ending, report) == .broken(reason: reason, output: "out"))
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
    #expect(LaunchOutcome.tail(of: lines.joined(separator: "\n") + "\n\n") == lines[30...].joined(separator: "\n"))
    #expect(LaunchOutcome.tail(of: String(repeating: "x", count: 5000)).count == 2000)
    #expect(LaunchOutcome.tail(of: "\n \n") == "")
  }
}
