// How long to spin before giving up: the bounded exponential backoff of crossbeam-utils' `Backoff`.
// With WEIR_EXPLORER the one of `Explored.swift` takes its place.

#if !WEIR_EXPLORER

  /// A spinner that doubles its pauses.
  ///
  /// Where another thread is to do something, call `spin()`; when it returns `false`, that thread is likely not running
  /// and spinning on is waste.
  @usableFromInline
  package struct Backoff {
    @usableFromInline var step = 0

    /// Pauses double up to 2 to this power.
    @usableFromInline static var limit: Int { 4 }

    @inlinable
    package init() {}

    /// Pauses for a while that doubles from call to call.
    ///
    /// - Returns: `false` once the pauses have reached their limit: this has not paused then.
    @inlinable
    package mutating func spin() -> Bool {
      guard step <= Self.limit else { return false }
      for _ in 0..<(1 << step) { spinHint() }
      step += 1
      return true
    }

    /// How often this pauses after a race that was lost once: for one or two microseconds on current processors.
    @usableFromInline static var pausesForWinner: Int { 64 }

    /// Pauses after a lost race, before the next attempt.
    ///
    /// For long at first: meanwhile the winner, which has the memory for itself, does more of the same than both would
    /// while they take it from each other (Dice, Hendler and Mirsky, "Lightweight Contention Management for Efficient
    /// Compare-and-Swap Operations", 2013). Then as `spin` does, over and over, and once not at all behind each of the
    /// longest pauses: so nobody is likely to lose for long.
    @inlinable
    package mutating func pauseAfterLostRace() {
      if step == 0 {
        for _ in 0..<Self.pausesForWinner { spinHint() }
        step = 1
      } else if !spin() {
        step = 1
      }
    }

    /// When letting others run began, in nanoseconds of the monotonic clock.
    @usableFromInline var yieldingSince = 0
    /// How often others are let run, and for how many nanoseconds, before that, too, has taken long enough. Each time
    /// may be as long as the system lets another thread run.
    @usableFromInline static var patience: Int { 32 }
    @usableFromInline static var patienceNanoseconds: Int { 100_000 }

    /// Pauses like `spin` and then lets other threads run, among them one that holds what this one waits for.
    ///
    /// - Returns: `false` once that has been done for so long that sleeping is better, for those that can.
    @usableFromInline
    package mutating func snooze() -> Bool {
      if spin() { return true }
      if yieldingSince == 0 { yieldingSince = monotonicNanoseconds() }
      yieldToOthers()
      step += 1
      return step <= Self.limit + Self.patience
        && monotonicNanoseconds() - yieldingSince < Self.patienceNanoseconds
    }
  }

  /// Pauses for a fraction of a microsecond: more of a burst may arrive, and meanwhile nothing is read that its sender
  /// writes.
  @inlinable
  package func lingerForBurst() { for _ in 0..<16 { spinHint() } }
#endif
