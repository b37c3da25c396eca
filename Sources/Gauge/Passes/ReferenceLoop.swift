// Fixed loops: how fast the core runs during a launch, whatever the benchmark does.

import GaugeStatistics

/// Times a loop that takes the same cycles on a given core whenever it has the core to itself.
struct ReferenceLoop {
  static let repetitions = 5
  /// What part of the turns the warm-up has.
  private static let warmUp = 20

  /// A chain of multiplications, in which every turn waits for the one before: follows the core's frequency.
  static let multiplications = ReferenceLoop(.referenceLoop, turns: 20_000) {
    blackHole(chain(opaque(1), turns: $0))
  }
  /// Loads and stores that wait for none of their neighbours: follows what another thread on the same core leaves of
  /// its ports and buffers, which the chain doesn't notice. Such a thread comes and goes within a launch, so that this
  /// loop runs between the batches, too, and tells of a launch of which a quarter was disturbed.
  static let stores = ReferenceLoop(.referenceStores, turns: 20_000, quantile: 0.75) {
    MemoryTraffic.loadAndStore(turns: $0)
  }
  /// Loads that miss the core's own caches, each waiting for the one before: follows what others leave of the shared
  /// cache and of the way to it, which neither of the other two needs.
  static let memory = ReferenceLoop(.referenceMemory, turns: 2_000) { MemoryTraffic.chase(turns: $0) }

  /// What a launch that measures time runs before and behind its samples only.
  static let around = [multiplications, memory]

  private let metric: Metric
  private let turns: Int
  private let run: @Sendable (_ turns: Int) -> Void
  private let share: Double
  private let clock: @Sendable () -> UInt64
  /// Nanoseconds of each run.
  private var times: [Double] = []

  /// - Parameters:
  ///   - turns: How many turns are timed at once.
  ///   - quantile: Which of its runs tells the time of a turn; by default the shortest, as the least disturbed one.
  ///   - clock: Nanoseconds since an arbitrary start.
  init(
    _ metric: Metric, turns: Int, quantile: Double = 0,
    clock: @escaping @Sendable () -> UInt64 = MonotonicClock.nanoseconds,
    _ run: @escaping @Sendable (_ turns: Int) -> Void
  ) {
    self.clock = clock
    self.metric = metric
    self.turns = turns
    self.run = run
    share = quantile
  }

  /// Runs the loop a few times.
  mutating func measure(repetitions: Int = Self.repetitions) {
    for _ in 0..<repetitions {
      // What ran before may have taken the nearest cache.
      run(opaque(turns / Self.warmUp))
      let start = clock()
      run(opaque(turns))
      times.append(Double(clock() &- start))
    }
  }

  /// The time of one turn, in nanoseconds; infinite before the first run.
  var nanosecondsPerTurn: Double {
    times.isEmpty ? .infinity : quantile(share, ofSorted: times.sorted()) / Double(turns)
  }

  /// A linear congruential generator (Knuth, MMIX); each turn is opaque, so that no two can be merged.
  @inline(never)
  static func chain(_ seed: UInt, turns: Int) -> UInt {
    var state = seed
    var remaining = turns
    while remaining != 0 {
      state = opaque(state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407)
      remaining &-= 1
    }
    return state
  }

  /// The quantity that the loop tells.
  var measurement: Measurement {
    Measurement(metric, .value(nanosecondsPerTurn), iterations: turns, samples: times.count)
  }
}
