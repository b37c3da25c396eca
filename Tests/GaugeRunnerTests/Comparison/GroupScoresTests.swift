// Which metrics are scores of groups of threads, and which only have such names.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct GroupScoresTests {
  private func names(_ metrics: [Metric]) -> [String: String] {
    var results = Results.run()
    for metric in metrics { results.add(metric, [1, 2]) }
    let rows = MeasuredRows.grouped(results)
    let groups = GroupScores(rows)
    return Dictionary(uniqueKeysWithValues: rows.keys.compactMap { key in groups.name(key).map { (key.metric, $0) } })
  }

  private let times: [Metric] = [.time(ofGroup: "a_9"), .meanTime(ofGroup: "a_9"), .throughput(ofGroup: "a_9")]
  private let latencies = ["p50", "p90", "p99", "p99_9", "p99_99", "max"].map {
    Metric("latency_\($0)_b", unit: "ns")
  }

  @Test func allScoresOfAGroupAreFound() {
    let ratio = Metric("mean_by_median_a_9", unit: "1")
    #expect(
      names(times + [ratio, .time, .meanTime, .throughput]) == [
        "time_a_9": "time", "mean_time_a_9": "mean_time", "throughput_a_9": "throughput",
        "mean_by_median_a_9": "mean_by_median",
      ])
    // It may be all that is measured.
    #expect(names([ratio]) == ["mean_by_median_a_9": "mean_by_median"])
    #expect(
      names(latencies) == [
        "latency_p50_b": "latency_p50", "latency_p90_b": "latency_p90", "latency_p99_b": "latency_p99",
        "latency_p99_9_b": "latency_p99_9", "latency_p99_99_b": "latency_p99_99", "latency_max_b": "latency_max",
      ])
  }

  @Test func oneThatStandsAloneIsAnAuthorsOwn() {
    for metric in times + latencies { #expect(names([metric]) == [:], "\(metric.name)") }
    #expect(names(Array(times.dropLast())) == [:])
    #expect(names(Array(latencies.dropFirst())) == [:])
    #expect(names([.time, .meanTime, .throughput, .timePerElement]) == [:])
  }

  @Test func oneThatIsDescribedOtherwiseIsAnAuthorsOwn() {
    var others = times
    others[2].unit = "B/s"
    #expect(names(others) == [:])
    others = latencies
    others[5].polarity = .higher
    #expect(names(others) == [:])
    #expect(names(times + [Metric("mean_by_median_a_9", unit: "%")])["mean_by_median_a_9"] == nil)
  }
}
