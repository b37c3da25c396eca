// The open loop: waits for the moment of the schedule, runs one operation, reads the clock.

/// Batches of one operation each, which start when a schedule says.
///
/// The wait spins on the clock: a sleep would start the operation late by what it takes to wake a thread, and that would
/// be measured as latency.
final class OpenLoopBatches: Batches {
  private let clock: TickClock
  private(set) var sampler: OpenLatencySampler
  private var start: UInt64 = 0

  init(_ sampler: OpenLatencySampler, clock: TickClock) {
    self.sampler = sampler
    self.clock = clock
  }

  override func begin() -> Int {
    guard let start = sampler.nextStart(now: clock.ticks()) else { return 0 }
    self.start = start
    // Times wrap around, so it is their difference that tells which comes first.
    while Int64(bitPattern: start &- clock.ticks()) > 0 {}
    return 1
  }

  override func end() {
    let end = clock.ticks()
    // An operation never ends before the moment that its wait has seen.
    sampler.record(from: start, to: checked(start, end))
  }

  /// Nanoseconds from the moment of the schedule to the end of an empty operation: the median over many. Half a reading of
  /// the clock is in it, which is how late a wait ends on average.
  static func nanosecondsOfEmptyOperation(_ clock: TickClock) -> Double {
    let batches = OpenLoopBatches(
      OpenLatencySampler(budget: 3e6, rate: 1e6, nanosecondsPerTick: clock.nanosecondsPerTick, overhead: 0),
      clock: clock)
    batches.runEmpty()
    return batches.sampler.latencies.nanoseconds(atPercentile: 50) ?? 0
  }
}
