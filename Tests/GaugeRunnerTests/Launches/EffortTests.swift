// How many launches a run makes, and how long they measure.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct EffortTests {
  func points(_ count: Int) -> [LaunchRequest.Pass: Int] {
    [.time: count, .latency: count, .openLatency: 0, .allocations: count]
  }

  @Test func `a quick run of 25 benchmarks is expected within 75 seconds`() {
    let shares = Effort.quick.shares(points: points(25))
    #expect(shares[.time] == Effort.Share(launches: 16, budget: 25))
    #expect(Effort.duration(of: shares, points: points(25)) < 75_000)
  }

  @Test(arguments: [60, 100, 150]) func `more benchmarks get less each`(count: Int) throws {
    let shares = Effort.quick.shares(points: points(count))
    let fewer = Effort.quick.shares(points: points(25))
    #expect(Effort.duration(of: shares, points: points(count)) <= 75_000)
    for pass in [LaunchRequest.Pass.time, .latency, .allocations] {
      let (share, ample) = (try #require(shares[pass]), try #require(fewer[pass]))
      #expect(share.budget <= ample.budget && share.budget >= 10)
      #expect(share.launches <= ample.launches && share.launches >= 2)
    }
  }

  @Test func `however many there are, every pass keeps its least`() {
    let shares = Effort.quick.shares(points: points(100_000))
    #expect(shares[.time] == Effort.Share(launches: 5, budget: 10))
    #expect(shares[.latency] == Effort.Share(launches: 5, budget: 10))
    #expect(shares[.allocations] == Effort.Share(launches: 2, budget: 10))
  }

  @Test func `a suite of 110 points of which 45 take latency in both loops fits`() {
    let points: [LaunchRequest.Pass: Int] = [.time: 110, .latency: 45, .openLatency: 45, .allocations: 110]
    #expect(Effort.duration(of: Effort.normal.shares(points: points), points: points) <= 7.1 * 60_000)
    #expect(Effort.duration(of: Effort.quick.shares(points: points), points: points) <= 76_000)
  }

  @Test(arguments: [Effort.quick, .normal, .full]) func `instructions are counted once`(effort: Effort) {
    #expect(effort.shares(points: [.counts: 100_000, .time: 1])[.counts]?.launches == 1)
  }

  /// The defect: among more than six rows of counts that vary five launches a side are no verdict, whatever they say.
  @Test(
    arguments: [(5, []), (10, ["several/0 allocations", "several/1 allocations"])] as [(Int, [String])])
  func `counts that vary get a verdict in a large suite`(launches: Int, verdicts: [String]) {
    func run(seed: UInt64, allocations: Double) -> Results {
      var noise = Noise(seed: seed)
      var results = Results.run()
      for index in 0..<378 {
        results.add(.meanByMedian, noise.launches(20, around: 1.003, spread: 0.001), to: "single/\(index)")
      }
      for index in 0..<112 {
        for metric in Metric.heap {
          let counts = index < 2 && metric.name == "allocations" ? allocations : 100
          results.add(
            Metric(metric.name, unit: metric.unit), noise.launches(launches, around: counts, spread: 0.01),
            to: "several/\(index)")
        }
      }
      return results
    }
    let comparison = Comparison(base: run(seed: 1, allocations: 100), new: run(seed: 2, allocations: 200))
    let worse = comparison.entries.filter { $0.verdict == .worse }.map { "\($0.key.title) \($0.key.metric)" }
    #expect(worse == verdicts)
    #expect(comparison.count(.better) == 0)
  }

  @Test(arguments: [Effort.quick, .normal, .full]) func `what varies is launched often enough`(effort: Effort) {
    let shares = effort.shares(points: [.allocator: 100_000, .hardware: 100_000])
    #expect(shares[.allocator]?.launches == 10 && shares[.hardware]?.launches == 10)
    #expect(Effort.fewestWhereCountsVary == [.allocations: 10, .references: 10, .systemCalls: 10])
  }

  @Test func `a full run is never cut`() {
    #expect(Effort.full.shares(points: points(100_000)) == Effort.full.shares(points: points(1)))
  }
}
