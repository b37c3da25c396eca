// What the reports of a comparison share.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct ComparisonReportTests {
  @Test func ranksByMagnitudeThenName() {
    var (base, new) = (Results.run(), Results.run())
    for (name, before, after) in [("c", 2.0, 3.0), ("b", 2.0, 8.0), ("a", 2.0, 3.0), ("z", 0.0, 1.0), ("g", 4.0, 2.0)] {
      base.add(.allocations, [before], to: name)
      new.add(.allocations, [after], to: name)
    }
    let comparison = Comparison(base: base, new: new)
    #expect(comparison.ranked(.worse).map(\.key.benchmark) == ["z", "b", "a", "c"])
    #expect(comparison.ranked(.better).map(\.key.benchmark) == ["g"])
    #expect(comparison.summary == "4 worse, 1 better, 0 same, 0 not enough data")
  }

  @Test func termsNameTheThresholds() {
    let options = ComparisonOptions(timeThreshold: 0.05, tailThreshold: 0.3, countThreshold: 0.2)
    let thresholds = "Thresholds: times 5 %, latencies from p99 on 30 %, counts that vary 20 %, exact counts 0."
    #expect(Comparison(base: .run(), new: .run(), options: options).terms == thresholds)
    var run = Results.run()
    run.add(.time, [1, 2, 3, 4, 5])
    #expect(
      Comparison(base: run, new: run, options: options).terms
        == thresholds
        + " Times are held against what 0 earlier runs of one build differ by, and by wide bars, as 20 are "
        + "needed: each 'gauge run' of a build adds one.")
  }

  @Test func termsSayWhatTheSameLeavesOpen() {
    func terms(_ widths: Double?...) -> String {
      var comparison = Comparison(base: .run(), new: .run())
      let key = ResultRow.Key(benchmark: "a", parameters: "", metric: Metric.time.name)
      let entry = ComparisonEntry(
        key: key, metric: .time, before: nil, after: nil, change: nil, judgement: .judged(.same), reason: "")
      comparison.replace(
        widths.map {
          var entry = entry
          entry.sameWithin = $0
          return entry
        }, terms: "Terms.")
      return comparison.terms
    }
    #expect(terms(nil) == "Terms.")
    #expect(terms(0.03, nil) == "Terms. Measured times that are the same are so within 3.00 %.")
    #expect(
      terms(0.25, 0.03, 0.042)
        == "Terms. Of the measured times that are the same, half are so within 4.20 %, all within 25.0 %.")
  }

  @Test func unavailableCellsSaySo() {
    var (base, new) = (Results.run(), Results.run())
    base.add(.frees, [1])
    new.add(.frees, unavailable: "no hooks")
    let comparison = Comparison(base: base, new: new)
    let row = comparison.table(comparison.entries).rows[0]
    #expect(row.cells == ["a/b", "frees", "1", "unavailable", "", "not enough data"])
    #expect(row.note == "unavailable after: no hooks" && row.emphasis == .unsure)
  }

  @Test func aBenchmarkIsExplainedOnceWhereverVerdictsAre() {
    var (base, new) = (Results.run(), Results.run())
    for metric in [Metric.allocations, .frees] {
      base.add(metric, [1])
      new.add(metric, [2])
    }
    var comparison = Comparison(base: base, new: new)
    comparison.explanations["a/b"] = Explanation(unavailable: "no valgrind")
    let words = "not explained: no valgrind"
    #expect(comparison.table(comparison.ranked(.worse)).rows.map(\.details) == [[words], []])
    let reports = [
      comparisonText(comparison, colour: false, width: 100), comparisonMarkdown(comparison),
      comparisonHTML(comparison, base: base, new: new, title: "t"), comparison.json,
    ]
    for report in reports { #expect(report.components(separatedBy: words).count == 2) }
    #expect(comparison.junit([]).contains(words))
  }

  @Test func nothingUnmatchedSaysNothing() {
    #expect(Comparison(base: .run(), new: .run()).unmatched.isEmpty)
  }
}
