// The loop that waits for a schedule.

import Testing

@testable import Gauge

@Suite struct OpenLoopBatchesTests {
  /// Remembers when operations were to start.
  private struct RecordedSchedule: Schedule {
    var sampler = OpenLatencySampler(budget: 2e6, rate: 100_000, nanosecondsPerTick: 1, overhead: 0)
    var starts: [UInt64] = []

    mutating func nextStart(now: UInt64) -> UInt64? {
      let start = sampler.nextStart(now: now)
      if let start { starts.append(start) }
      return start
    }

    mutating func record(from start: UInt64, to end: UInt64) { sampler.record(from: start, to: end) }
  }

  @Test func noOperationStartsBeforeItsTime() {
    let batches = OpenLoopBatches(RecordedSchedule(), clock: .monotonic)
    var readings: [UInt64] = []
    batches.run { readings.append(MonotonicClock.nanoseconds()) }
    let schedule = batches.schedule(as: RecordedSchedule.self)
    let kept = schedule.sampler.latencies.count
    #expect(kept > 0 && kept < readings.count)
    #expect(schedule.starts.count == readings.count)
    for (reading, start) in zip(readings, schedule.starts) { #expect(reading >= start) }
    let measured = schedule.starts.suffix(kept)
    for (number, start) in measured.enumerated() {
      #expect(start == measured[measured.startIndex] + UInt64(number) * 10_000)
    }
  }

  @Test func anEmptyOperationTakesAboutAReadingOfTheClock() {
    let overhead = OpenLoopBatches.nanosecondsOfEmptyOperation(.monotonic)
    #expect(overhead > 0 && overhead.isFinite)
  }
}
