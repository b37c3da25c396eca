// The loop that waits for a schedule.

import Testing

@testable import Gauge

@Suite struct OpenLoopBatchesTests {
  @Test func noOperationStartsBeforeItsTime() {
    let sampler = OpenLatencySampler(budget: 2e6, rate: 100_000, nanosecondsPerTick: 1, overhead: 0)
    let batches = OpenLoopBatches(sampler, clock: .monotonic)
    var readings: [UInt64] = []
    batches.run { readings.append(MonotonicClock.nanoseconds()) }
    let kept = batches.schedule(as: OpenLatencySampler.self).latencies.count
    #expect(kept > 0 && kept < readings.count)
    // The schedule begins with the first measured operation, or a reading of the clock before it.
    let measured = readings.suffix(kept)
    for (number, reading) in measured.enumerated() {
      #expect(reading + 10_000 >= measured[measured.startIndex] + UInt64(number) * 10_000)
    }
  }

  @Test func anEmptyOperationTakesAboutAReadingOfTheClock() {
    let overhead = OpenLoopBatches.nanosecondsOfEmptyOperation(.monotonic)
    #expect(overhead > 0 && overhead.isFinite)
  }
}
