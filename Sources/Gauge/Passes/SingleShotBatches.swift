// The first operation of a process, timed: neither warm-up nor repetition.

/// One batch of one operation.
final class SingleShotBatches: Batches {
  private let clock: TickClock
  private let overhead: Double
  private var hasRun = false
  private var start: UInt64 = 0
  private(set) var nanoseconds: Double?

  /// - Parameter overhead: Ticks to subtract.
  init(clock: TickClock, overhead: Double) {
    self.clock = clock
    self.overhead = overhead
  }

  override func begin() -> Int {
    guard !hasRun else { return 0 }
    hasRun = true
    start = clock.ticks()
    return 1
  }

  override func end() {
    let end = clock.ticks()
    nanoseconds = (Double(checked(start, end) - start) - overhead) * clock.nanosecondsPerTick
  }

  /// The quantity that the operation tells.
  var measurement: Measurement {
    let outcome = nanoseconds.map(Measurement.Outcome.duration) ?? .unavailable("the operation did not run")
    return Measurement(.singleShot, outcome, iterations: 1, samples: 1)
  }
}
