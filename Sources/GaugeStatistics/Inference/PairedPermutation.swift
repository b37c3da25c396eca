// The permutation test for pairs (Fisher 1935; Pitman 1937): every difference might as well have had the other sign.

/// A test of whether the mean of differences within pairs is off 0, without a model of their distribution.
public struct PairedPermutation: Sendable {
  private let differences: [Double]
  private let resamples: Int
  private let seed: UInt64

  /// The largest number of pairs for which every choice of signs is taken.
  public static let largestExactSize = 16

  /// Takes the differences.
  ///
  /// - Parameters:
  ///   - differences: Second minus first of each pair.
  ///   - resamples: Random choices of signs where there are more than `largestExactSize` pairs.
  ///   - seed: Seed of those choices.
  public init(_ differences: [Double], resamples: Int = 9_999, seed: UInt64 = 1) {
    precondition(resamples > 0, "a permutation test needs resamples")
    self.differences = differences
    self.resamples = resamples
    self.seed = seed
  }

  /// The probability of a mean at least as extreme, if differences are as likely up as down.
  ///
  /// - Complexity: O(2^n) up to `largestExactSize` pairs, then O(n · resamples). Random choices count the observed one
  ///   too, so that the p-value is never 0 and the test keeps its level (Phipson and Smyth 2010).
  public func pValue(_ alternative: MannWhitney.Alternative = .different) -> Double {
    let observed = differences.reduce(0, +)
    // Sums of the same signs in another order differ by rounding.
    let slack = 1e-12 * differences.reduce(0) { $0 + abs($1) }
    var (least, most, all) = (0, 0, 0)
    func count(_ sum: Double) {
      all += 1
      if sum >= observed - slack { most += 1 }
      if sum <= observed + slack { least += 1 }
    }
    if differences.count <= Self.largestExactSize {
      for signs in 0..<(1 << differences.count) {
        count(
          differences.indices.reduce(0) { $0 + (signs >> $1 & 1 == 0 ? differences[$1] : -differences[$1]) })
      }
    } else {
      count(observed)
      var generator = Xoshiro256(seed: seed)
      for _ in 0..<resamples {
        var bits: UInt64 = 0
        count(
          differences.indices.reduce(0) { sum, index in
            if index % 64 == 0 { bits = generator.next() }
            return sum + (bits >> UInt64(index % 64) & 1 == 0 ? differences[index] : -differences[index])
          })
      }
    }
    let (greater, less) = (Double(most) / Double(all), Double(least) / Double(all))
    return switch alternative {
    case .greater: greater
    case .less: less
    case .different: min(1, 2 * min(greater, less))
    }
  }
}
