// Which values belong to a series.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct ScalingSeriesTests {
  static func results(_ entries: [(benchmark: String, parameters: String, metric: Metric, value: Double)]) -> Results {
    var results = Results()
    results.rows = entries.enumerated().map {
      .sample($1.benchmark, parameters: $1.parameters, metric: $1.metric, launch: $0, .value($1.value))
    }
    return results
  }

  @Test func `the other parameters tell series apart`() {
    let results = Self.results([
      ("a", "n=1;kind=x", .time, 1), ("a", "n=10;kind=x", .time, 2), ("a", "n=10;kind=x", .time, 4),
      ("a", "n=1;kind=y", .time, 7), ("a", "n=10;kind=y", .time, 8), ("a", "n=10;kind=x", .throughput, 99),
      ("b", "", .time, 1), ("c", "n=5", .time, 1),
    ])
    let series = ScalingSeries.all(in: results, metric: nil)
    #expect(series.map(\.title) == ["a[kind=x]", "a[kind=y]"])
    #expect(series.map(\.axis) == ["n", "n"])
    #expect(series[0].medians.map(\.value) == [1, 3])
    #expect(series[0].estimates.map(\.estimate) == [.exact(1), Estimate(3, Interval(2, 4))])
    #expect(!series[0].isOverThreads)
  }

  @Test func `threads are asked for their throughput, if nothing else is`() {
    let results = Self.results([
      ("a", "threads=1", .time, 1), ("a", "threads=2", .time, 2), ("a", "threads=1", .throughput, 10),
      ("a", "threads=2", .throughput, 20),
    ])
    let series = ScalingSeries.all(in: results, metric: nil)
    #expect(series.map(\.metric) == [.throughput] && series[0].isOverThreads)
    #expect(ScalingSeries.all(in: results, metric: "time").map(\.metric) == [.time])
    #expect(ScalingSeries.all(in: results, metric: "frees").isEmpty)
  }

  /// A row of many parameters had a title for each of them, each as long as all of them.
  @Test func `rows of very many parameters are no series`() {
    expectUnderAMinute {
      let few = (0..<63).map { "p\($0)=1" }.joined(separator: ";")
      let many = (0..<200_000).map { "p\($0)=1" }.joined(separator: ";")
      let results = Self.results([
        ("a", few + ";n=1", .time, 1), ("a", few + ";n=2", .time, 2), ("b", many + ";n=1", .time, 1),
        ("b", many + ";n=2", .time, 2),
      ])
      #expect(ScalingSeries.all(in: results, metric: nil).map(\.axis) == ["n"])
    }
  }

  @Test func `a size is a decimal number`() {
    for size in ["inf", "nan", "0x10", "1e200", "+4"] {
      let results = Self.results([("a", "n=1", .time, 1), ("a", "n=\(size)", .time, 2)])
      #expect(ScalingSeries.all(in: results, metric: nil).isEmpty, "\(size)")
    }
  }
}
