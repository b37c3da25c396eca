// What changed, by benchmark and cause.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct ComparisonCausesTests {
  /// A comparison of rows with verdicts.
  private func changes(_ rows: [(String, Metric, Double, ComparisonEntry.Judgement)]) -> [[ComparisonCause]] {
    var comparison = Comparison(base: .run(), new: .run())
    comparison.replace(
      rows.map { name, metric, ratio, judgement in
        ComparisonEntry(
          key: ResultRow.Key(benchmark: name, parameters: "", metric: metric.name), metric: metric,
          before: .exact(1), after: .exact(ratio), change: Change(scale: .ratio, estimate: .exact(ratio)),
          judgement: judgement, reason: "")
      }, terms: "")
    return comparison.changes
  }

  private func metrics(_ causes: [ComparisonCause]) -> [String] { causes.map(\.entry.key.metric) }

  @Test func `the time comes first, then instructions, allocations and retains`() {
    let causes = changes([
      ("a", .retains, 2, .judged(.worse)), ("a", .allocations, 3, .judged(.worse)), ("a", .frees, 3, .judged(.worse)),
      ("a", .latency(percentile: "99"), 2, .judged(.worse)), ("a", .instructions, 1.1, .shown),
      ("a", .time, 1.1, .judged(.worse)), ("a", .arcReleases, 1, .shown),
    ])
    #expect(causes.map(metrics) == [["time", "instructions", "allocations", "retains", "latency_p99"]])
    #expect(causes[0][2].metrics == "allocations + frees")
  }

  @Test func `worse comes before better, a time before counts, the largest first`() {
    let causes = changes([
      ("better", .time, 0.1, .judged(.better)), ("counts", .allocations, 9, .judged(.worse)),
      ("little", .time, 1.1, .judged(.worse)), ("much", .time, 2, .judged(.worse)),
      ("both", .time, 0.5, .judged(.better)), ("both", .retains, 2, .judged(.worse)),
    ])
    #expect(causes.map { $0[0].entry.key.benchmark } == ["much", "little", "counts", "both", "better"])
  }

  @Test func `what is worse and what is better are two lines of one cause`() {
    let causes = changes([("a", .allocations, 2, .judged(.worse)), ("a", .peakHeap, 0.5, .judged(.better))])
    #expect(causes.map(metrics) == [["allocations", "peak_heap"]])
  }

  /// Each metric of a benchmark was looked for among all causes.
  @Test func `a benchmark of many metrics takes no longer than many of few`() {
    expectUnderAMinute {
      let causes = changes(
        (0..<5_000).map { ("a", Metric("m\($0)", unit: "1", kind: .exact), 2, .judged($0 % 2 == 0 ? .worse : .better)) }
      )
      #expect(causes.count == 1 && causes[0].count == 5_000)
    }
  }

  @Test func `what has no verdict follows from the last cause of its place`() {
    let causes = changes([
      ("a", .allocations, 2, .judged(.worse)), ("a", .peakHeap, 0.5, .judged(.better)), ("a", .frees, 2, .shown),
      ("a", .allocatedBytes, 3, .judged(.worse)), ("a", .instructions, 2, .shown), ("a", .hardwareCycles, 1, .shown),
    ])
    #expect(causes[0].map(\.metrics) == ["instructions", "allocations + allocated_bytes", "peak_heap + frees"])
  }
}
