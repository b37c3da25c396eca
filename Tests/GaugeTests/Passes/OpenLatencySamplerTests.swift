// The open loop with a played clock: latencies count from the schedule, so that a stall shows in all it delays.

import Testing

@testable import Gauge

@Suite struct OpenLatencySamplerTests {
  /// Plays a clock on which the n-th operation takes `cost(n)` ticks; returns how late each operation started.
  private func play(_ sampler: inout OpenLatencySampler, cost: (Int) -> UInt64) -> [UInt64] {
    var now: UInt64 = 1 << 40
    var delays: [UInt64] = []
    while let start = sampler.nextStart(now: now) {
      now = max(now, start)
      delays.append(now - start)
      now += cost(delays.count - 1)
      sampler.record(from: start, to: now)
    }
    return delays
  }

  private func value(_ measurements: [Measurement], _ metric: Metric) -> Measurement.Outcome? {
    measurements.first { $0.metric == metric }?.outcome
  }

  @Test func operationsStartAtTheRate() {
    // A million a second, in half-nanosecond ticks: 100 operations of warm-up, then 1000.
    var sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 0.5, overhead: 20)
    let delays = play(&sampler) { $0 % 100 == 9 ? 1040 : 240 }
    #expect(delays.allSatisfy { $0 == 0 })
    #expect((1098...1104).contains(delays.count))
    #expect(sampler.latencies.count == 1000)
    let measurements = sampler.measurements()
    #expect(value(measurements, .openLatency(percentile: "50")) == .value(100))
    #expect(value(measurements, .openLatencyMaximum) == .value(500))
    #expect(value(measurements, .openLoopRate) == .value(1e6))
    #expect(measurements.filter { $0.samples > 0 }.allSatisfy { $0.samples == 1000 })
  }

  @Test func aStallShowsInEveryOperationThatItDelays() {
    var sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 1, overhead: 0)
    // One operation in a thousand takes 100 µs instead of 100 ns: about 110 operations have waited for it. A closed
    // loop would have counted one.
    let delays = play(&sampler) { $0 == 500 ? 100_000 : 100 }
    #expect((100...120).contains(delays.count { $0 > 0 }))
    let measurements = sampler.measurements()
    #expect(value(measurements, .openLatency(percentile: "50")) == .value(100))
    guard case .value(let tail) = value(measurements, .openLatency(percentile: "99")) else {
      Issue.record("there is no p99")
      return
    }
    #expect((85_000...95_000).contains(tail))
    #expect(value(measurements, .openLatencyMaximum).map { $0 == .value(100_000) } == true)
    #expect(value(measurements, .openLoopRate) == .value(1e6))
  }

  @Test func aRateThatIsTooHighIsTold() {
    var sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 1, overhead: 0)
    // Twice as long as the interval: the schedule of 1000 operations takes twice the budget, and the last one starts a
    // budget late.
    let delays = play(&sampler) { _ in 2000 }
    #expect(delays.last == 999_000)
    let measurements = sampler.measurements()
    #expect(value(measurements, .openLoopRate) == .value(5e5))
    guard case .value(let median) = value(measurements, .openLatency(percentile: "50")) else {
      Issue.record("there is no median")
      return
    }
    #expect((495_000...505_000).contains(median))
  }

  @Test func aStallAtTheEndLeavesNothingOut() {
    var sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 1, overhead: 0)
    // 101 operations of warm-up; the stall begins with the 900th of 1000, and lasts beyond the end of the schedule.
    let delays = play(&sampler) { $0 == 1000 ? 500_000 : 100 }
    #expect(sampler.latencies.count == 1000)
    #expect(delays.count { $0 > 0 } == delays.count - 1001)
    #expect(value(sampler.measurements(), .openLatencyMaximum) == .value(500_000))
  }

  @Test func aHopelessRateEndsAtAFewBudgets() {
    var sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 1, overhead: 0)
    _ = play(&sampler) { _ in 20_000 }
    #expect(sampler.latencies.count == 200)
  }

  @Test func theBacklogOfTheWarmUpIsNotMeasured() {
    var sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 1, overhead: 0)
    _ = play(&sampler) { $0 == 0 ? 5_000_000 : 100 }
    #expect(value(sampler.measurements(), .openLatencyMaximum) == .value(100))
  }

  @Test func slowOperationsGiveOneAtLeast() {
    var sampler = OpenLatencySampler(budget: 1e6, rate: 10, nanosecondsPerTick: 1, overhead: 0)
    #expect(play(&sampler) { _ in 10_000_000 }.count == 2)
    let measurements = sampler.measurements()
    #expect(value(measurements, .openLatencyMaximum) == .value(10_000_000))
    #expect(value(measurements, .openLoopRate) == .value(10))
    #expect(
      value(measurements, .openLatency(percentile: "50")) == .unavailable("needs 2 operations, the budget held 1"))
  }

  @Test func theScheduleDoesNotDrift() {
    // Three a microsecond don't divide into ticks; the millionth operation is still where it should be.
    var sampler = OpenLatencySampler(budget: 1e9, rate: 3e6, nanosecondsPerTick: 1, overhead: 0)
    var first: UInt64?
    var last: UInt64 = 0
    var now: UInt64 = 0
    while let start = sampler.nextStart(now: now) {
      now = max(now, start) + 1
      sampler.record(from: start, to: now)
      if sampler.latencies.count > 0 {
        first = first ?? start
        last = start
      }
    }
    #expect(sampler.latencies.count == 3_000_000)
    #expect(last - (first ?? 0) == UInt64((Double(sampler.latencies.count - 1) / 3e-3).rounded()))
  }

  @Test func whatIsTakenOffLeavesNoLatencyOfNothing() {
    var sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 1, overhead: 200)
    // Half of the operations take less than what the harness takes off.
    _ = play(&sampler) { $0 % 4 == 0 ? 900 : 100 }
    let measurements = sampler.measurements()
    #expect(
      value(measurements, .openLatency(percentile: "50")) == .unavailable(Measurement.Outcome.withinOverhead))
    #expect(value(measurements, .openLatency(percentile: "90")) == .value(700))
  }

  @Test func withoutOperationsNothingIsKnown() {
    let sampler = OpenLatencySampler(budget: 1e6, rate: 1e6, nanosecondsPerTick: 1, overhead: 0)
    #expect(value(sampler.measurements(), .openLoopRate) == .unavailable("the budget held no operation"))
  }
}
