// Fixed loops: how fast the core runs during a launch, whatever the benchmark does.

/// Times a loop that takes the same cycles on a given core whenever it has the core to itself.
struct ReferenceLoop {
  static let repetitions = 5

  /// A chain of multiplications, in which every turn waits for the one before: follows the core's frequency.
  static let multiplications = ReferenceLoop(.referenceLoop, turns: 20_000) {
    blackHole(chain(opaque(1), turns: $0))
  }
  /// Loads and stores that wait for none of their neighbours: follows what another thread on the same core leaves of its
  /// ports and buffers, which the chain doesn't notice.
  static let stores = ReferenceLoop(.referenceStores, turns: 20_000) {
    MemoryTraffic.loadAndStore(turns: $0)
  }
  /// Loads that miss the core's own caches, each waiting for the one before: follows what others leave of the shared cache
  /// and of the way to it, which neither of the other two needs.
  static let memory = ReferenceLoop(.referenceMemory, turns: 2_000) { MemoryTraffic.chase(turns: $0) }

  /// All of them: what a launch that measures time runs before and behind its samples.
  static let all = [multiplications, stores, memory]

  private let metric: Metric
  private let turns: Int
  private let run: @Sendable (_ turns: Int) -> Void

  /// The shortest time of one turn so far, in nanoseconds.
  private(set) var nanosecondsPerTurn = Double.infinity

  private init(_ metric: Metric, turns: Int, _ run: @escaping @Sendable (_ turns: Int) -> Void) {
    self.metric = metric
    self.turns = turns
    self.run = run
  }

  /// Runs the loop a few times; the shortest is the least disturbed.
  mutating func measure() {
    for _ in 0..<Self.repetitions {
      let start = MonotonicClock.nanoseconds()
      run(opaque(turns))
      let elapsed = MonotonicClock.nanoseconds() &- start
      nanosecondsPerTurn = min(nanosecondsPerTurn, Double(elapsed) / Double(turns))
    }
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
    Measurement(metric, .value(nanosecondsPerTurn), iterations: turns, samples: 2 * Self.repetitions)
  }
}
