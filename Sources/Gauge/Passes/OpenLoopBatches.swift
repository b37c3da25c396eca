// The open loop: waits for the moment of the schedule, runs one operation, reads the clock.

/// Batches of one operation each, which start when a schedule says.
///
/// The wait spins on the clock: a sleep would start the operation late by what it takes to wake a thread, and that
/// would be measured as latency.
final class OpenLoopBatches: Batches {
  private let clock: TickClock
  private var schedule: any Schedule
  private var start: UInt64 = 0

  init(_ schedule: any Schedule, clock: TickClock) {
    self.schedule = schedule
    self.clock = clock
  }

  override func begin() -> Int {
    guard let start = schedule.nextStart(now: clock.ticks()) else { return 0 }
    self.start = start
    // Times wrap around, so it is their difference that tells which comes first.
    while Int64(bitPattern: start &- clock.ticks()) > 0 {}
    return 1
  }

  override func end() {
    let end = clock.ticks()
    // An operation never ends before the moment that its wait has seen.
    schedule.record(from: start, to: checked(start, end))
  }

  /// The schedule with what it kept.
  func schedule<S: Schedule>(as type: S.Type) -> S {
    guard let schedule = schedule as? S else { preconditionFailure("the schedule is a \(Swift.type(of: schedule))") }
    return schedule
  }

  /// Nanoseconds from the moment of the schedule to the end of an empty operation. Half a reading of the clock is in
  /// it, which is how late a wait ends on average.
  static func nanosecondsOfEmptyOperation(_ clock: TickClock) -> Double {
    let batches = OpenLoopBatches(OpenOverheadSampler(nanosecondsPerTick: clock.nanosecondsPerTick), clock: clock)
    batches.runEmpty()
    return batches.schedule(as: OpenOverheadSampler.self).ticksOfEmptyOperation * clock.nanosecondsPerTick
  }
}
