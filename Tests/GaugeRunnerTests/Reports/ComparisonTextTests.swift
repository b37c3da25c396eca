// The regression report for a terminal.

import Gauge
import GaugeRunner
import Testing

@Suite struct ComparisonTextTests {
  private func report(
    _ base: Results, _ new: Results, colour: Bool = false, width: Int = 100
  ) -> [String] {
    comparisonText(
      Comparison(base: base, new: new), colour: colour, width: width
    )
    .split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }

  @Test func listsTheWorstFirstAndEndsWithTheSummary() throws {
    let lines = report(reportedSuite(seed: 1), reportedSuite(seed: 2, factor: 1.5, allocations: 1))
    #expect(lines[0].hasPrefix("benchmark") && lines[0].hasSuffix("verdict"))
    // The time, then what explains it.
    #expect(lines[1].hasPrefix("subject/send[sinks=0]  time ") && lines[1].hasSuffix("]  worse"))
    let cause = try #require(lines.firstIndex { $0.hasPrefix("                       allocations") })
    #expect(cause > 1 && lines[cause].hasSuffix("+1  worse"))
    #expect(lines.last == "2 worse, 0 better, 58 same, 0 not enough data")
    #expect(lines.contains("Rows not listed: 58 that are the same, 30 that are not judged."))
  }

  @Test func whatFollowsFromACauseIsOnItsLine() {
    var (base, new) = (Results.run(), Results.run())
    for (metric, before, after) in [
      (Metric.allocations, 1.0, 2.0), (.frees, 1, 2), (.allocatedBytes, 32, 64), (.retains, 3, 2), (.peakHeap, 64, 32),
    ] {
      base.add(metric, [before])
      new.add(metric, [after])
    }
    let lines = report(base, new)
    #expect(lines[1].hasPrefix("a/b        allocations + allocated_bytes + frees ") && lines[1].hasSuffix("worse"))
    #expect(lines[2].hasPrefix("           peak_heap ") && lines[2].hasSuffix("better"))
    #expect(lines[3].hasPrefix("           retains ") && lines[3].hasSuffix("better"))
    #expect(lines.count { $0.contains("frees") } == 1)
  }

  @Test func anIncompleteRunIsCalledSo() {
    var new = reportedSuite(seed: 1, benchmarks: 2)
    new.environment.append(("planned_launches", "400"))
    let lines = report(reportedSuite(seed: 1, benchmarks: 2), new)
    #expect(lines.last?.hasPrefix("the new run is incomplete: 50 of 400 launches; 0 worse") == true, "\(lines)")
    new.hasEnd = true
    #expect(report(new, new).last?.hasPrefix("0 worse") == true)
  }

  /// A file that was cut, and has lost the line that says how many launches were planned.
  @Test func aRunThatMayHaveBeenCutIsToldOf() {
    let base = reportedSuite(seed: 1, benchmarks: 2)
    var cut = base
    cut.rows.remove(at: 3)
    let told = "doesn't say how many launches it planned, and has fewer than"
    func summary(_ base: Results, _ new: Results) -> String? { report(base, new, width: 400).last }
    #expect(summary(base, cut)?.hasPrefix("the new run \(told) the base in 1 row; 0 worse") == true)
    #expect(summary(cut, base)?.hasPrefix("the base \(told) the new run in 1 row; 0 worse") == true)
    cut.rows.removeAll { $0.launch > 2 }
    #expect(summary(base, cut)?.contains("\(told) the base in 4 rows; ") == true, "\(report(base, cut))")
    cut.hasEnd = true
    #expect(summary(base, cut)?.contains("planned") == false)
  }

  @Test func listsTheRestWhereItIsShort() {
    let lines = report(reportedSuite(seed: 1, benchmarks: 3), reportedSuite(seed: 2, benchmarks: 3))
    #expect(lines.count { $0.hasSuffix("  same") } == 6)
    #expect(lines.count { $0.hasSuffix("  not judged") } == 3)
    #expect(!lines.contains { $0.hasPrefix("Rows not listed") })
  }

  @Test func namesWhatWasNotComparedAndWhy() {
    let lines = report(reportedSuite(seed: 1), reportedSuite(seed: 2, machine: "b2"))
    #expect(lines.last == "0 worse, 0 better, 30 same, 0 not enough data; 60 times not compared (machine_id differs)")
    #expect(!lines.contains { $0.hasSuffix("not compared") })
  }

  @Test func faultsComeOnTopWithTheirOutput() {
    var new = reportedSuite(seed: 2, benchmarks: 2)
    new.faults = [reportedFault]
    let lines = report(reportedSuite(seed: 1, benchmarks: 2), new)
    #expect(lines[0] == "broke: queue/push[n=2]: killed by signal 4 (Illegal instruction)")
    #expect(lines[1] == "    Fatal error: index | out of range")
    #expect(lines.last?.hasPrefix("1 broke; 0 worse") == true)
  }

  @Test func undecidedRowsShowTheirReason() {
    var (base, new) = (Results.run(), Results.run())
    base.add(.time, [10, 11, 12])
    new.add(.time, [20, 21, 22])
    let lines = report(base, new)
    #expect(lines[1].hasSuffix("not enough data"))
    #expect(lines[2] == "    3 launches on a side, 5 are needed")
  }

  @Test func namesRowsOfOneSide() {
    let lines = report(reportedSuite(seed: 1, benchmarks: 9), reportedSuite(seed: 1, benchmarks: 2))
    #expect(
      lines.joined(separator: " ").contains("Only in the baseline: subject/send[sinks=2], subject/send[sinks=3],"))
    #expect(lines.joined(separator: " ").contains("subject/send[sinks=6] and 2 more."))
    var new = reportedSuite(seed: 1, benchmarks: 1)
    new.add(.frees, [1], to: "subject/send", parameters: "sinks=0")
    #expect(
      report(reportedSuite(seed: 1, benchmarks: 1), new).contains("Only in the new run: subject/send[sinks=0] frees."))
  }

  @Test(arguments: [40, 60, 80, 120]) func fitsTheWidthAndColoursOnlyIfAsked(width: Int) {
    let (base, new) = (reportedSuite(seed: 1), reportedSuite(seed: 2, factor: 1.5, allocations: 1))
    for line in report(base, new, width: width) {
      #expect(line.count <= width)
      #expect(!line.contains("\u{1b}"))
    }
    #expect(report(base, new, colour: true, width: 120).contains { $0.hasSuffix("\u{1b}[31mworse\u{1b}[0m") })
  }

  @Test func onATerminalTheLaunchesAreDrawn() {
    let (base, new) = (reportedSuite(seed: 1), reportedSuite(seed: 2, factor: 2))
    let line = report(base, new, colour: true, width: 160).first { $0.contains("  time") }
    #expect(
      line?.contains("▁│") == true && line?.contains("│▇") == true || line?.contains("│█") == true, "\(line ?? "")")
    #expect(!report(base, new, width: 160).contains { $0.contains("│") })
  }
}
