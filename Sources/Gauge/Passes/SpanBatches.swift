// Counters over a span of time: for what is too rare or too coarse for a fixed number of operations.

/// Batches as for time, with counters read before the first that counts and behind the last.
final class SpanBatches: Batches {
  private let counter: Counter
  private var sampler: TimeSampler
  private var start: UInt64 = 0
  private var first: Counts?
  private var operations = 0
  private(set) var measurements: [Measurement] = []
  private let varies: Bool

  /// - Parameter budget: Measuring time in nanoseconds.
  init(budget: Double, _ counter: Counter, varies: Bool) {
    sampler = TimeSampler(budget: budget)
    self.counter = counter
    self.varies = varies
  }

  override func begin() -> Int {
    guard let count = sampler.nextCount() else {
      conclude(counter.read())
      return 0
    }
    if sampler.isWarm, first == nil {
      counter.markPeak()
      first = counter.read()
    }
    start = MonotonicClock.nanoseconds()
    return count
  }

  override func end() {
    let end = MonotonicClock.nanoseconds()
    if first != nil { operations += sampler.count }
    sampler.record(from: start, to: checked(start, end))
  }

  private func conclude(_ last: Counts) {
    guard let first, operations > 0 else { return }
    measurements = counter.concluded().map {
      $0.measurement(from: first, to: last, operations: operations, varies: varies)
    }
  }
}
