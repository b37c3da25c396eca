// The tables of a run before they are set.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ResultsTableTests {
  private func family(_ fill: (inout Results) -> Void) -> ResultsTable.Family {
    var results = Results.run()
    fill(&results)
    return ResultsTable(results).families[0]
  }

  @Test func `what a reader looks for first comes first, an author's own next, the rest after that`() {
    let family = family { results in
      for metric in [
        Metric("depth", unit: "frames"), .frees, .latency(percentile: "99"), .instructions, .retains, .allocations,
        .throughput, .time, .referenceLoop, .latencyMaximum, .meanByMedian,
        Metric("mean_by_median_readers", unit: "1"),
      ] {
        results.add(metric, [1])
      }
    }
    #expect(
      family.columns.map(\.title) == [
        "time", "±", "throughput", "allocations", "retains", "instructions", "depth", "p99", "frees",
      ])
  }

  @Test func `the time per element takes the throughput's place`() {
    let family = family { results in
      for metric in [Metric.throughput, .timePerElement, .time, .allocations] { results.add(metric, [1]) }
    }
    #expect(family.columns.map(\.title) == ["time", "±", "per element", "allocations", "throughput"])
  }

  @Test func `cells say what was measured, what could not be and what was not asked for`() {
    let family = family { results in
      results.add(.time, [3, 3])
      results.add(.allocations, unavailable: "no hooks")
      results.add(.time, [4], to: "a/c")
    }
    #expect(
      family.rows.map(\.cells) == [
        [.value(.exact(3), launches: 2), .value(.exact(3), launches: 2), .unavailable("no hooks")],
        [.value(.exact(4), launches: 1), .value(.exact(4), launches: 1), .none],
      ])
    #expect(family.rows.map(\.title) == ["a/b", "a/c"])
  }

  /// Benchmarks that have a metric each had a cell for each of all metrics.
  @Test func `an author's own metrics have a bounded number of columns`() {
    let family = family { results in
      for number in 0..<2000 { results.add(Metric("m\(number)", unit: "1"), [1], to: "a/\(number)") }
      results.add(.time, [1], to: "a/0")
    }
    #expect(family.columns.count == 52 && family.omitted == 1950 && family.rows.count == 2000)
    #expect(family.left == "1950 more metrics are in the result file.")
  }
}
