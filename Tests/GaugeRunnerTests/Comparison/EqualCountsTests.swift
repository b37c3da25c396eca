// Which benchmarks need no timing, by their counts.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct EqualCountsTests {
  /// A side: the counts of three benchmarks, and the allocations of the first.
  private func side(instructions: Double = 100, retains: Double = 2, allocations: Double? = 1) -> Results {
    var results = Results.run()
    for benchmark in ["a/b", "a/c"] {
      results.add(.instructions, [benchmark == "a/b" ? instructions : 7], to: benchmark)
      results.add(.retains, [benchmark == "a/b" ? retains : 0], to: benchmark)
      results.add(.releases, [0], to: benchmark)
    }
    for metric in Metric.counted { results.add(metric, unavailable: "threads", to: "thread/d") }
    if let allocations {
      results.add(.allocations, [allocations])
    } else {
      results.add(.allocations, unavailable: "no hooks")
    }
    return results
  }

  @Test func `equal counts of a single thread are enough`() {
    #expect(EqualCounts.titles(side(), side()) == ["a/b", "a/c"])
    #expect(EqualCounts.titles(side(allocations: nil), side(allocations: nil)) == ["a/b", "a/c"])
  }

  @Test func `any count that differs asks for times`() {
    #expect(EqualCounts.titles(side(), side(instructions: 100.000001)) == ["a/c"])
    #expect(EqualCounts.titles(side(retains: 1), side()) == ["a/c"])
    #expect(EqualCounts.titles(side(), side(allocations: 2)) == ["a/c"])
    #expect(EqualCounts.titles(side(allocations: nil), side()) == ["a/c"])
  }

  @Test func `without counts everything is timed`() {
    var uncounted = Results.run()
    uncounted.add(.allocations, [1])
    #expect(EqualCounts.titles(uncounted, uncounted).isEmpty)
    #expect(EqualCounts.titles(side(), uncounted).isEmpty)
    var missing = Results.run()
    for metric in Metric.counted { missing.add(metric, unavailable: Callgrind.absence) }
    #expect(EqualCounts.titles(missing, missing).isEmpty)
  }
}
