// When a job that delivers a batch gives way.

/// Counts what one job delivers, and looks at the clock from time to time.
@frozen
@usableFromInline
struct BatchBound {
  @usableFromInline let time: Duration
  @usableFromInline let start: ContinuousClock.Instant
  /// Values that may still be delivered.
  @usableFromInline var left: Int
  /// Values until the next look at the clock, and from that one to the one behind it.
  @usableFromInline var untilLook = 1
  @usableFromInline var step = 1

  /// Begins a job.
  @inlinable
  init(_ batch: DeliveryBatch, start: ContinuousClock.Instant = .now) {
    time = batch.time
    left = batch.values
    self.start = start
  }

  /// Whether the job is over.
  @inlinable var isReached: Bool { left == 0 }

  /// Notes that a value has been delivered.
  ///
  /// The looks become rarer, up to one in 16 values, until a quarter of the time is over; then there is one after each.
  ///
  /// - Parameter now: Reads the clock.
  /// - Returns: Whether the job is over.
  @inlinable @inline(__always)
  mutating func isReachedByOneMore(at now: () -> ContinuousClock.Instant = { .now }) -> Bool {
    left -= 1
    untilLook -= 1
    if untilLook == 0 { look(at: now()) }
    return left == 0
  }

  @inlinable
  mutating func look(at now: ContinuousClock.Instant) {
    let elapsed = now - start
    if elapsed >= time { left = 0 }
    step = elapsed * 4 < time ? min(step * 2, 16) : 1
    untilLook = step
  }
}
