// The path that every measurement takes: read, run a batch of operations, read. The loop is inlined around the author's
// operation; what stands before and behind it is not,
// so that it costs the same for every operation, an empty one included.

/// The batches of one measurement. Control is with the loop in `run`, which asks for the size of each batch: so the
/// author's operation exists once, inlined, and its form (throwing, asynchronous) does not matter here.
@usableFromInline
class Batches {
  /// Decides about the next batch, then reads the clock or counters as its very last act.
  ///
  /// - Returns: Operations to run, or 0 when enough is known.
  @usableFromInline
  func begin() -> Int { 0 }

  /// Reads the clock or counters as its very first act, then keeps the difference.
  @usableFromInline
  func end() {}

  /// How far the clock has ever stepped back during a batch: a time from such a clock means nothing.
  final private(set) var stepBack: UInt64 = 0

  /// The second of two readings of the clock, or the first where the clock has stepped back between them.
  final func checked(_ start: UInt64, _ end: UInt64) -> UInt64 {
    if end < start { stepBack = max(stepBack, start - end) }
    return max(start, end)
  }

  /// Runs batches of an operation until enough is known.
  @inlinable @inline(__always)
  final func run<Result: ~Copyable, Failure: Error>(_ operation: () throws(Failure) -> Result) throws(Failure) {
    var remaining = begin()
    while remaining != 0 {
      repeat {
        blackHole(try operation())
        remaining &-= 1
      } while remaining != 0
      end()
      remaining = begin()
    }
  }

  /// The asynchronous form of the above.
  @inlinable @inline(__always)
  nonisolated(nonsending) final func run<Result: ~Copyable, Failure: Error>(
    _ operation: () async throws(Failure) -> Result
  ) async throws(Failure) {
    var remaining = begin()
    while remaining != 0 {
      repeat {
        blackHole(try await operation())
        remaining &-= 1
      } while remaining != 0
      end()
      remaining = begin()
    }
  }

  /// Runs batches of nothing: what the harness itself costs.
  @inline(never)
  final func runEmpty() {
    run {}
  }
}

/// Batches between two readings of a clock.
final class TimedBatches: Batches {
  private let clock: TickClock
  private var sampler: any Sampler<UInt64>
  private var start: UInt64 = 0
  /// What runs behind each batch.
  private(set) var loop: ReferenceLoop?

  /// - Parameter loop: What runs behind each batch, where something does; batches should be long against it.
  init(_ sampler: any Sampler<UInt64>, clock: TickClock, loop: ReferenceLoop? = nil) {
    self.sampler = sampler
    self.clock = clock
    self.loop = loop
  }

  override func begin() -> Int {
    guard let count = sampler.nextCount() else { return 0 }
    start = clock.ticks()
    return count
  }

  override func end() {
    let end = clock.ticks()
    sampler.record(from: start, to: checked(start, end))
    loop?.measure(repetitions: 1)
  }

  /// The sampler with what it kept.
  func sampler<S: Sampler>(as type: S.Type) -> S {
    guard let sampler = sampler as? S else { preconditionFailure("the sampler is a \(Swift.type(of: sampler))") }
    return sampler
  }
}

/// Batches between two readings of counters.
final class CountedBatches: Batches {
  private let counter: Counter
  private(set) var sampler: CountSampler
  private var start = Counts.zero
  /// Operations that were run by themselves for their peak, and the largest of these.
  private var singles = 0
  private var peak: UInt64 = 0

  /// When the operation of the warm-up began that is tried by itself, while it runs.
  private var trial: UInt64?
  /// Operations of the warm-up behind those that were tried.
  private var warmUp: Int?
  /// Of the operations that were tried, how many took too long, and how many did not.
  private var longTrials = 0
  private var shortTrials = 0
  /// Whether they have said whether all operations are counted.
  private var isDecided = false
  private let longest: Double
  private let clock: () -> UInt64

  /// Operations of which the largest peak is taken: one may have to make room that the others find.
  static let singles = 8
  /// Nanoseconds that the operations may take; where those that are tried say that they would take longer, a single one
  /// is counted.
  static let longest = 30e9
  /// Nanoseconds beyond which one that is tried is enough; else it is the middle one of three, where the warm-up has so
  /// many, as the first one fills caches, and any may wait for the processor. A launch has a limit of time.
  static let longestTrial = 10e9

  init(
    _ sampler: CountSampler, _ counter: Counter, longest: Double = CountedBatches.longest,
    clock: @escaping () -> UInt64 = MonotonicClock.nanoseconds
  ) {
    self.clock = clock
    self.sampler = sampler
    self.counter = counter
    self.longest = longest
  }

  override func begin() -> Int {
    if let left = warmUp {
      if !isDecided { return tryOne(of: left) }
      warmUp = nil
      start = counter.read()
      return left
    }
    guard let count = sampler.nextCount() else { return beginSingle() }
    if !sampler.isWarm, count > 1 { return tryOne(of: count) }
    start = counter.read()
    return count
  }

  private func tryOne(of left: Int) -> Int {
    warmUp = left - 1
    trial = clock()
    return 1
  }

  private func beginSingle() -> Int {
    guard counter.peakLane != nil, singles < min(Self.singles, sampler.operations) else { return 0 }
    singles += 1
    counter.markPeak()
    return 1
  }

  override func end() {
    if let began = trial {
      trial = nil
      let now = clock()
      judge(now > began ? Double(now - began) : 0)
      return
    }
    if singles > 0, let lane = counter.peakLane {
      peak = max(peak, counter.readPeak())
      sampler.keep(peak, inLane: lane)
      return
    }
    let end = counter.read()
    sampler.record(from: start, to: end)
  }

  /// Decides after a trial whether all operations are counted, a single one, or another one is tried.
  private func judge(_ elapsed: Double) {
    let isLong = elapsed * Double(sampler.operations) > longest
    if isLong { longTrials += 1 } else { shortTrials += 1 }
    let isLast = warmUp == 1
    if longTrials == 2 || (isLong && (isLast || elapsed > Self.longestTrial)) {
      warmUp = nil
      sampler = CountSampler(operations: 1, isWarm: true)
    } else {
      isDecided = shortTrials == 2 || isLast
    }
  }

  /// What the harness itself counts: as many empty operations.
  static func empty(_ operations: Int, _ counter: Counter) -> Counts {
    let batches = CountedBatches(CountSampler(operations: operations), counter, longest: .infinity)
    batches.runEmpty()
    return batches.sampler.difference ?? .zero
  }
}
