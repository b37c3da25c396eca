// The latency pass with a played clock: warm-up, budget, overhead, and percentiles that need enough operations.

import Testing

@testable import Gauge

@Suite struct LatencySamplerTests {
  /// Plays a clock of half-nanosecond ticks on which the n-th operation takes `cost(n)` ticks.
  private func play(_ sampler: inout LatencySampler, pause: UInt64 = 0, cost: (Int) -> UInt64) -> Int {
    var now: UInt64 = 1 << 40
    var operations = 0
    while let count = sampler.nextCount() {
      #expect(count == 1)
      let start = now
      now += cost(operations)
      sampler.record(from: start, to: now)
      now += pause
      operations += 1
    }
    return operations
  }

  private func value(_ measurements: [Measurement], _ metric: Metric) -> Measurement.Outcome? {
    measurements.first { $0.metric == metric }?.outcome
  }

  @Test func percentilesAreThoseOfTheOperations() {
    var sampler = LatencySampler(budget: 10e6, nanosecondsPerTick: 0.5, overhead: 40)
    // After subtraction: 100 ns, every tenth 200 ns, every hundredth 1000 ns.
    _ = play(&sampler) { $0 % 100 == 7 ? 2040 : $0 % 10 == 3 ? 440 : 240 }
    let measurements = sampler.measurements()
    #expect(value(measurements, .latency(percentile: "50")) == .value(100))
    #expect(value(measurements, .latency(percentile: "99.9")) == .value(1000))
    #expect(value(measurements, .latencyMaximum) == .value(1000))
    #expect(measurements.allSatisfy { $0.samples == sampler.latencies.count })
  }

  @Test func theBudgetHoldsWhatLiesBetweenOperations() {
    var sampler = LatencySampler(budget: 1e6, nanosecondsPerTick: 1, overhead: 0)
    // 100 ns each, 60 of them between: warm-up ends within 100 µs, then 1 ms.
    #expect((10_990...11_010).contains(play(&sampler, pause: 60) { _ in 40 }))
    #expect((9_990...10_010).contains(sampler.latencies.count))
  }

  @Test func theFirstOperationIsWarmUp() {
    var sampler = LatencySampler(budget: 1e6, nanosecondsPerTick: 1, overhead: 0)
    _ = play(&sampler) { $0 == 0 ? 900_000 : 1000 }
    #expect(value(sampler.measurements(), .latencyMaximum) == .value(1000))
  }

  @Test func slowOperationsGiveOneAtLeast() {
    var sampler = LatencySampler(budget: 1e6, nanosecondsPerTick: 1, overhead: 0)
    #expect(play(&sampler) { _ in 10_000_000 } == 2)
    let measurements = sampler.measurements()
    #expect(value(measurements, .latencyMaximum) == .value(10_000_000))
    #expect(
      value(measurements, .latency(percentile: "50")) == .unavailable("needs 2 operations, the budget held 1"))
    var middling = LatencySampler(budget: 1e6, nanosecondsPerTick: 1, overhead: 0)
    #expect(play(&middling) { _ in 500_000 } == 6)
  }

  @Test(arguments: [("90", 10), ("99", 100), ("99.9", 1000), ("99.99", 10_000)])
  func aPercentileNeedsAnOperationBeyondIt(percentile: String, needed: Int) {
    for operations in [needed - 1, needed] {
      var sampler = LatencySampler(budget: Double(operations) * 1000, nanosecondsPerTick: 1, overhead: 0)
      // A warm-up of one long operation, then `operations` of 1 µs.
      _ = play(&sampler) { $0 == 0 ? 100_000_000 : 1000 }
      #expect(sampler.latencies.count == operations)
      let outcome = value(sampler.measurements(), .latency(percentile: percentile))
      #expect(
        outcome
          == (operations == needed
            ? .value(1000) : .unavailable("needs \(needed) operations, the budget held \(operations)")))
    }
  }

  @Test func belowTheOverheadIsUnavailable() {
    var sampler = LatencySampler(budget: 1e5, nanosecondsPerTick: 1, overhead: 50)
    _ = play(&sampler) { _ in 45 }
    #expect(
      value(sampler.measurements(), .latencyMaximum) == .unavailable(Measurement.Outcome.withinOverhead))
  }
}
