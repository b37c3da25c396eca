// Which metrics are judged, and how.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct JudgingRuleTests {
  let options = ComparisonOptions(
    timeThreshold: 0.05, tailThreshold: 0.4, countThreshold: 0.1, timeResolution: 0.5, latencyResolution: 20,
    countResolution: 0.01)

  private func rule(_ metric: Metric, repeats: Bool = false) -> JudgingRule {
    JudgingRule(metric, repeats: repeats, options: options)
  }

  private func isShown(_ metric: Metric) -> Bool {
    if case .shown = rule(metric) { true } else { false }
  }

  @Test func timeAndMiddlePercentilesUseTheTimeThreshold() {
    #expect(rule(.time) == .time(threshold: 0.05, resolution: 0.5))
    for percentile in ["50", "90"] {
      #expect(rule(.latency(percentile: percentile)) == .time(threshold: 0.05, resolution: 20))
    }
  }

  @Test func tailPercentilesUseTheirOwn() {
    for percentile in ["99", "99.9"] {
      #expect(rule(.openLatency(percentile: percentile)) == .time(threshold: 0.4, resolution: 20))
      #expect(rule(.latency(percentile: percentile)) == .time(threshold: 0.4, resolution: 20))
    }
  }

  @Test func rareOperationsAreJudgedByWhatTheyAddToTheMean() {
    #expect(rule(.meanByMedian) == .sampled(threshold: 0.012, resolution: 0))
  }

  @Test func derivedAndSingleEventMetricsAreShownOnly() {
    for metric in [
      Metric.throughput, .bandwidth, .timePerElement, .meanTime, .readyWait, .latencyMaximum,
      .latency(percentile: "99.99"), .referenceLoop,
      .openLatencyMaximum, .openLatency(percentile: "99.99"),
      Metric("queue_depth", unit: "1", polarity: .neither, kind: .exact),
    ] {
      #expect(isShown(metric), "\(metric.name)")
    }
  }

  @Test func countsAreExactIfTheyRepeat() {
    #expect(rule(.allocations, repeats: true) == .exact(threshold: 0, resolution: 0))
    #expect(rule(.allocations) == .sampled(threshold: 0.1, resolution: 0.01))
  }

  /// The defect: a share of misses that tripled from 0.3 to 0.9 % was the same.
  @Test func onlyOfBuiltInCountsAHundredthIsLittle() {
    for unit in ["1", "1/op", "J/op"] {
      #expect(
        rule(Metric("miss_ratio", unit: unit, polarity: .lower, kind: .sampled))
          == .sampled(threshold: 0.1, resolution: 0))
    }
    var allocations = Metric.allocations
    allocations.kind = .sampled
    #expect(rule(allocations) == .sampled(threshold: 0.1, resolution: 0.01))
  }

  @Test func scoresOfGroupsHaveTheRulesOfAllThreads() {
    func group(_ metric: Metric) -> JudgingRule {
      var ofGroup = metric
      ofGroup.name += "_readers"
      return JudgingRule(ofGroup, ofGroup: metric.name, repeats: false, options: options)
    }
    #expect(group(.time) == .time(threshold: 0.05, resolution: 0.5))
    #expect(group(.latency(percentile: "50")) == .time(threshold: 0.05, resolution: 20))
    #expect(group(.latency(percentile: "99")) == .time(threshold: 0.4, resolution: 20))
    #expect(group(.latency(percentile: "99.99")) == .shown(reason: "set by single events of the machine"))
    #expect(group(.latencyMaximum) == .shown(reason: "set by single events of the machine"))
    #expect(group(.meanByMedian) == .sampled(threshold: 0.012, resolution: 0))
    #expect(group(.meanTime) == .shown(reason: "follows from time_readers and mean_by_median_readers"))
    #expect(group(.throughput) == .shown(reason: "follows from mean_time_readers"))
    // An author's own, whose name begins alike.
    #expect(rule(Metric("latency_max_queue", unit: "ns")) == .time(threshold: 0.05, resolution: 0.5))
  }

  @Test func theResolutionIsInTheMetricsUnit() {
    #expect(rule(Metric("build", unit: "ms")) == .time(threshold: 0.05, resolution: 0.5 / 1e6))
    #expect(rule(Metric("turn", unit: "ns/turn")) == .time(threshold: 0.05, resolution: 0.5))
    #expect(rule(Metric("queue", unit: "nsamples")) == .sampled(threshold: 0.1, resolution: 0))
  }

  @Test func whatWasExactKeepsItsThresholds() {
    for metric in [Metric.allocations, Metric("simulated", unit: "ns")] {
      #expect(
        JudgingRule(metric, repeats: false, wasExact: true, options: options) == .sampled(threshold: 0, resolution: 0))
    }
    #expect(
      JudgingRule(.allocations, repeats: true, wasExact: true, options: options) == .exact(threshold: 0, resolution: 0))
  }

  @Test func aProjectsOwnThresholdsPrevail() {
    var options = options
    options.thresholds = [
      Threshold(benchmark: "a/*", metric: "*", relative: 0.2, absolute: nil),
      Threshold(benchmark: "a/b", metric: "time", relative: nil, absolute: 7),
    ]
    func rule(_ metric: Metric, of benchmark: String, repeats: Bool = false) -> JudgingRule {
      let key = ResultRow.Key(benchmark: benchmark, parameters: "", metric: metric.name)
      return JudgingRule(metric, of: key, repeats: repeats, options: options)
    }
    #expect(rule(.time, of: "a/b") == .time(threshold: 0.2, resolution: 7))
    #expect(rule(.time, of: "a/c") == .time(threshold: 0.2, resolution: 0.5))
    #expect(rule(.time, of: "z") == .time(threshold: 0.05, resolution: 0.5))
    #expect(rule(.allocations, of: "a/c") == .sampled(threshold: 0.2, resolution: 0.01))
    #expect(rule(.allocations, of: "a/c", repeats: true) == .exact(threshold: 0.2, resolution: 0))
  }
}
