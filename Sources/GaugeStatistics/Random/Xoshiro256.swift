// Random numbers for resampling: xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number
// generators"). Ours, as the standard library's generator takes no seed.

/// The xoshiro256** generator, seeded through `SplitMix64` as its authors advise. Not for cryptography.
public struct Xoshiro256: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a generator that always gives the same stream for the same seed.
  public init(seed: UInt64) {
    var seeder = SplitMix64(seed: seed)
    state = (seeder.next(), seeder.next(), seeder.next(), seeder.next())
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 << 45) | (state.3 >> 19)
    return result
  }

  /// A uniformly distributed index (Lemire, "Fast random integer generation in an interval", 2019).
  ///
  /// The stream is fixed by the seed for ever, which the standard library's `random(in:using:)` does not promise.
  ///
  /// - Parameter bound: One more than the largest index, at least 1.
  public mutating func index(below bound: Int) -> Int {
    precondition(bound > 0, "bound must be positive")
    let bound = UInt64(bound)
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let unfair = (0 &- bound) % bound
      while product.low < unfair { product = next().multipliedFullWidth(by: bound) }
    }
    return Int(product.high)
  }

  /// A uniformly distributed number of the half-open unit interval, a multiple of 2^-53.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
