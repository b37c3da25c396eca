// Bootstrap intervals of medians: the percentile method and BCa, bias-corrected and accelerated (Efron 1987).

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Intervals of medians from resampling launches with replacement.
///
/// The median of a resample needs no sorting: indices into the sorted sample are counted, and the counts are walked up
/// to the middle. The same seed gives the same interval for ever.
public struct Bootstrap: Sendable {
  /// How an interval is read off the replicates.
  public enum Method: Sendable {
    /// Quantiles of the replicates.
    case percentile
    /// Quantiles moved for bias and for an error that varies with the value (Efron, JASA 82, 1987). Falls back to the
    /// percentile method where the correction is not defined: all replicates on one side of the estimate, or a sample
    /// without spread.
    case bca
  }

  /// Number of resamples; at least 20 per tail that the interval leaves out.
  public var resamples: Int
  /// Wanted coverage, for example 0.95.
  public var confidence: Double
  /// Seed of the resampling.
  public var seed: UInt64

  /// Creates a bootstrap.
  ///
  /// - Parameters:
  ///   - resamples: Number of resamples, at least 1.
  ///   - confidence: Wanted coverage, between 0 and 1.
  ///   - seed: Seed of the resampling.
  public init(resamples: Int = 2_000, confidence: Double = 0.95, seed: UInt64 = 1) {
    precondition(resamples > 0, "a bootstrap needs resamples")
    precondition(confidence > 0 && confidence < 1, "a confidence must be between 0 and 1")
    self.resamples = resamples
    self.confidence = confidence
    self.seed = seed
  }

  /// The median of a sample with its interval.
  ///
  /// - Parameter sample: The sample, not empty.
  /// - Complexity: O(`resamples` · (n + log `resamples`)).
  public func median(of sample: [Double], method: Method = .bca) -> Estimate {
    let sorted = sample.sorted()
    var generator = Xoshiro256(seed: seed)
    return estimate(
      GaugeStatistics.median(ofSorted: sorted), replicates: medians(sorted, &generator),
      jackknife: [jackknife(sorted)], method: method)
  }

  /// The logarithm of the ratio of two independent samples' medians, second over first, with its interval.
  ///
  /// - Parameters:
  ///   - first: A sample of positive values, not empty.
  ///   - second: Another.
  /// - Complexity: O(`resamples` · (m + n + log `resamples`)).
  public func logRatioOfMedians(_ first: [Double], _ second: [Double], method: Method = .bca) -> Estimate {
    let (first, second) = (first.sorted(), second.sorted())
    let (medianFirst, medianSecond) = (
      GaugeStatistics.median(ofSorted: first), GaugeStatistics.median(ofSorted: second)
    )
    var generator = Xoshiro256(seed: seed)
    let below = medians(first, &generator)
    let above = medians(second, &generator)
    return estimate(
      log(medianSecond / medianFirst), replicates: zip(below, above).map { log($1 / $0) },
      jackknife: [
        jackknife(first).map { log(medianSecond / $0) }, jackknife(second).map { log($0 / medianFirst) },
      ], method: method)
  }

  /// The median logarithm of the ratio within pairs, second over first, with its interval.
  ///
  /// - Parameters:
  ///   - first: Positive values, not empty.
  ///   - second: As many positive values; each is paired with the one of the same index.
  /// - Complexity: O(`resamples` · (n + log `resamples`)).
  public func medianLogRatio(pairs first: [Double], _ second: [Double], method: Method = .bca) -> Estimate {
    precondition(first.count == second.count, "paired samples must be of one length")
    return median(of: zip(first, second).map { log($1 / $0) }, method: method)
  }

  /// One median per resample.
  private func medians(_ sorted: [Double], _ generator: inout Xoshiro256) -> [Double] {
    let n = sorted.count
    var drawn = [Int](repeating: 0, count: n)
    return (0..<resamples).map { _ in
      for index in 0..<n { drawn[index] = 0 }
      for _ in 0..<n { drawn[generator.index(below: n)] += 1 }
      let upperRank = n / 2
      let lowerRank = n.isMultiple(of: 2) ? upperRank - 1 : upperRank
      var seen = 0
      var lower: Double?
      for index in 0..<n {
        seen += drawn[index]
        if lower == nil && seen > lowerRank { lower = sorted[index] }
        if let lower, seen > upperRank { return lowerRank == upperRank ? lower : (lower + sorted[index]) / 2 }
      }
      preconditionFailure("n draws reach past the middle rank")
    }
  }

  /// The medians of the sample without each of its values in turn; of the sample itself if it has but one.
  private func jackknife(_ sorted: [Double]) -> [Double] {
    guard sorted.count > 1 else { return sorted }
    return sorted.indices.map { left in
      var rest = sorted
      rest.remove(at: left)
      return GaugeStatistics.median(ofSorted: rest)
    }
  }

  private func estimate(
    _ value: Double, replicates: [Double], jackknife: [[Double]], method: Method
  ) -> Estimate {
    let sorted = replicates.sorted()
    var tails = ((1 - confidence) / 2, (1 + confidence) / 2)
    if method == .bca, let corrected = correctedTails(value, sorted, jackknife, tails) { tails = corrected }
    return Estimate(value, Interval(quantile(tails.0, ofSorted: sorted), quantile(tails.1, ofSorted: sorted)))
  }

  /// Efron's alpha 1 and alpha 2, with the acceleration of several samples summed over them (Efron and Tibshirani
  /// 14.3).
  private func correctedTails(
    _ value: Double, _ replicates: [Double], _ jackknife: [[Double]], _ tails: (Double, Double)
  ) -> (Double, Double)? {
    var less = 0
    var equal = 0
    for replicate in replicates {
      if replicate < value { less += 1 } else if replicate == value { equal += 1 }
    }
    let share = (Double(less) + Double(equal) / 2) / Double(replicates.count)
    guard share > 0 && share < 1 else { return nil }
    let bias = NormalDistribution.quantile(share)
    var cubes = 0.0
    var squares = 0.0
    for values in jackknife {
      let n = Double(values.count)
      let mean = values.reduce(0, +) / n
      for value in values {
        let influence = (n - 1) * (mean - value)
        cubes += influence * influence * influence / (n * n * n)
        squares += influence * influence / (n * n)
      }
    }
    guard squares > 0 else { return nil }
    let acceleration = cubes / (6 * squares * squares.squareRoot())
    func moved(_ tail: Double) -> Double {
      let z = bias + NormalDistribution.quantile(tail)
      return NormalDistribution.cumulative(bias + z / (1 - acceleration * z))
    }
    let corrected = (moved(tails.0), moved(tails.1))
    return corrected.0 <= corrected.1 ? corrected : nil
  }
}
