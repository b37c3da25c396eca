// The Hodges-Lehmann estimate of a shift (1963) with the interval that inverts the Mann-Whitney test (Moses).

/// By how much a second sample is shifted against a first: the median of all pairwise differences.
public struct HodgesLehmann: Sendable {
  /// Every difference second - first, in rising order.
  private let differences: PairedDifferences
  private let m: Int
  private let n: Int
  private let distribution: MannWhitneyDistribution?

  /// Takes all differences.
  ///
  /// - Parameters:
  ///   - first: A sample, not empty.
  ///   - second: Another, not empty.
  ///   - distribution: The exact U distribution for these sizes, if the caller has it already.
  /// - Complexity: O(m · n · log(m · n)) for few values, O(m · log m + n · log n) for many.
  public init(_ first: [Double], _ second: [Double], distribution: MannWhitneyDistribution? = nil) {
    precondition(!first.isEmpty && !second.isEmpty, "both samples need a value")
    m = first.count
    n = second.count
    differences = PairedDifferences(first, second)
    self.distribution =
      m * n <= MannWhitneyDistribution.largestProduct ? distribution ?? MannWhitneyDistribution(m, n) : nil
  }

  /// The estimate of the shift.
  public var shift: Double { differences.median }

  /// The shifts that a two-sided Mann-Whitney test does not reject.
  ///
  /// Exact for m·n up to `MannWhitneyDistribution.largestProduct`, so that it covers at least as often as it says for
  /// continuous distributions of one shape; by the normal approximation above.
  ///
  /// - Parameter confidence: Wanted coverage, for example 0.95.
  /// - Returns: The interval, unbounded where the samples are too small for the confidence.
  /// - Complexity: O(log(m · n)) for few values, O(m + n) for many.
  public func interval(confidence: Double) -> Interval {
    precondition(confidence > 0 && confidence < 1, "a confidence must be between 0 and 1")
    let tail = (1 - confidence) / 2
    let critical: Int
    if let distribution {
      critical = distribution.lowerCriticalValue(tail)
    } else {
      let pairs = Double(m * n)
      let deviation = (pairs * Double(m + n + 1) / 12).squareRoot()
      critical = Int((pairs / 2 + NormalDistribution.quantile(tail) * deviation - 0.5).rounded(.down))
    }
    guard critical >= 0 else { return .unbounded }
    return Interval(differences[critical], differences[differences.count - 1 - critical])
  }
}
