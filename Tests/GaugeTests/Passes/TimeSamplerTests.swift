// The time pass with a played clock: choice of the batch size, budget, overhead.

import Testing

@testable import Gauge

@Suite struct TimeSamplerTests {
  /// Plays a clock that gives `cost(operation count)` nanoseconds per batch, until the sampler has enough.
  private func play(
    _ sampler: inout TimeSampler, limit: Int = 100_000, cost: (Int) -> Double
  ) -> (batches: Int, operations: Int) {
    var now: UInt64 = .max - 1_000_000
    var batches = 0
    var operations = 0
    while let count = sampler.nextCount(), batches < limit {
      let start = now
      now &+= UInt64(cost(count).rounded())
      sampler.record(from: start, to: now)
      batches += 1
      operations += count
    }
    return (batches, operations)
  }

  @Test(arguments: [1.0, 3, 20, 1000, 50_000, 400_000])
  func batchesTakeHalfToOneMillisecond(nanoseconds: Double) {
    var sampler = TimeSampler(budget: 50e6)
    _ = play(&sampler) { Double($0) * nanoseconds + 20 }
    let length = Double(sampler.count) * nanoseconds
    #expect((350_000...1_000_000).contains(length))
    let measured = sampler.samples.reduce(0, +)
    #expect((50e6...51.1e6).contains(measured))
    #expect(sampler.samples.count >= 49)
    let time = sampler.nanosecondsPerOperation(less: TimingOverhead(perSample: 20, perOperation: 0))
    #expect(abs(time - nanoseconds) <= nanoseconds * 0.001 + 0.001)
  }

  @Test func overheadIsSubtractedAndNotClamped() {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 2 + 50 }
    let exact = sampler.nanosecondsPerOperation(less: TimingOverhead(perSample: 50, perOperation: 0.5))
    #expect(abs(exact - 1.5) < 1e-3)
    let negative = sampler.nanosecondsPerOperation(less: TimingOverhead(perSample: 50, perOperation: 3))
    #expect(abs(negative - -1) < 1e-3)
  }

  @Test func slowOperationsGiveFewSamplesButOne() {
    var slow = TimeSampler(budget: 50e6)
    #expect(play(&slow) { Double($0) * 100e6 }.operations == 3)
    #expect(slow.samples == [100e6, 100e6])
    var verySlow = TimeSampler(budget: 50e6)
    #expect(play(&verySlow) { Double($0) * 1e9 }.operations == 2)
    #expect(verySlow.samples == [1e9])
    var middling = TimeSampler(budget: 50e6)
    _ = play(&middling) { Double($0) * 12e6 }
    #expect(middling.count == 1)
    #expect(middling.samples.count == 5)
  }

  @Test func anInterruptionDuringWarmUpDoesNotShortenBatches() {
    var sampler = TimeSampler(budget: 50e6)
    var batch = 0
    _ = play(&sampler) { count in
      batch += 1
      return Double(count) * 10 + (batch == 1 || batch == 8 ? 8e6 : 0)
    }
    #expect((350_000...1_000_000).contains(Double(sampler.count) * 10))
  }

  @Test func aClockThatStandsStillStillEnds() {
    var sampler = TimeSampler(budget: 1e6)
    let played = play(&sampler) { count in count > 1 << 40 ? 1e6 : 0 }
    #expect(played.batches < 100)
  }

  @Test func measurementsFollowElements() throws {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 100 }
    let overhead = TimingOverhead(perSample: 0, perOperation: 0.3)
    let single = sampler.measurements(elements: 1, less: overhead)
    #expect(single.map(\.metric) == [.time, .throughput])
    let several = sampler.measurements(elements: 10, less: overhead)
    #expect(several.map(\.metric) == [.time, .timePerElement, .throughput])
    #expect(several.allSatisfy { $0.samples == sampler.samples.count })
    #expect(several.allSatisfy { $0.iterations == sampler.samples.count * sampler.count })
    guard case .value(let time) = several[0].outcome, case .value(let share) = several[1].outcome,
      case .value(let rate) = several[2].outcome
    else {
      Issue.record("a quantity has no value: \(several)")
      return
    }
    #expect(abs(time - 99.7) < 0.01)
    #expect(share == time / 10)
    #expect(abs(rate * time / 1e10 - 1) < 1e-12)
  }

  @Test func throughputOfNothingIsUnavailable() {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 0.5 }
    let measurements = sampler.measurements(elements: 1, less: TimingOverhead(perSample: 0, perOperation: 0.45))
    guard case .unavailable(let reason) = measurements[1].outcome else {
      Issue.record("an operation of 0.05 ns has a throughput")
      return
    }
    #expect(reason.contains("loop"))
  }
}
