// Seeds and small streams of random numbers: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).

/// Sebastiano Vigna's 64-bit variant of SplitMix: every seed, 0 included, gives a full-period stream of good quality.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator that always gives the same stream for the same seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
