// A fixed chain of multiplications: how fast the core runs during a launch, whatever the benchmark does.

/// Times a loop in which every turn waits for the one before, so that it takes the same cycles on a given core.
struct ReferenceLoop {
  static let turns = 20_000
  static let repetitions = 5

  /// The shortest time of one turn so far, in nanoseconds.
  private(set) var nanosecondsPerTurn = Double.infinity

  /// Runs the loop a few times; the shortest is the least disturbed.
  mutating func measure() {
    for _ in 0..<Self.repetitions {
      let start = MonotonicClock.nanoseconds()
      blackHole(Self.chain(opaque(1), turns: opaque(Self.turns)))
      let elapsed = MonotonicClock.nanoseconds() &- start
      nanosecondsPerTurn = min(nanosecondsPerTurn, Double(elapsed) / Double(Self.turns))
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
    Measurement(
      .referenceLoop, .value(nanosecondsPerTurn), iterations: Self.turns, samples: 2 * Self.repetitions)
  }
}
