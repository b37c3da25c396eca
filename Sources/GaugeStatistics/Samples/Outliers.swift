// Which values of a sample lie apart: Tukey's fences (1977),
// and those of Hubert and Vandervieren (2008) for skewed samples.

/// Fences around the bulk of a sample.
public struct Fences: Hashable, Sendable {
  /// Beyond this interval a value is an outlier.
  public let inner: Interval
  /// Beyond this one it is far out.
  public let outer: Interval

  /// Tukey's fences: 1.5 and 3 times the distance of the quartiles beyond them.
  ///
  /// - Parameter sorted: The sample in rising order, not empty.
  public static func tukey(sorted: [Double]) -> Fences { Fences(sorted, skewness: 0) }

  /// Fences that move with the sample's skewness, so that the long tail of launches isn't taken for outliers.
  ///
  /// - Parameter sorted: The sample in rising order, not empty.
  /// - Complexity: O(n² log n), for the medcouple.
  public static func adjusted(sorted: [Double]) -> Fences { Fences(sorted, skewness: medcouple(sorted: sorted)) }

  private init(_ sorted: [Double], skewness: Double) {
    let (low, high) = (quantile(0.25, ofSorted: sorted), quantile(0.75, ofSorted: sorted))
    let (below, above) = skewness >= 0 ? (-4.0, 3.0) : (-3.0, 4.0)
    func fence(_ times: Double) -> Interval {
      Interval(
        low - times * exponential(below * skewness) * (high - low),
        high + times * exponential(above * skewness) * (high - low))
    }
    inner = fence(1.5)
    outer = fence(3)
  }
}

/// The values of a sample that lie apart.
public struct Outliers: Hashable, Sendable {
  /// Between the inner and the outer fences, below and above.
  public let mild: Int
  /// Beyond the outer fences.
  public let severe: Int

  /// Counts the values beyond fences.
  public init(_ sample: [Double], fences: Fences) {
    severe = sample.count { !fences.outer.contains($0) }
    mild = sample.count { !fences.inner.contains($0) } - severe
  }
}

/// The medcouple (Brys, Hubert and Struyf 2004): a robust measure of skewness between -1 and 1, by its definition.
///
/// - Parameter sorted: The sample in rising order, not empty.
///   Of more than 1,000 values as many are taken, evenly spaced.
/// - Complexity: O(n² log n), for n up to 1,000.
public func medcouple(sorted all: [Double]) -> Double {
  let sorted = thinned(all, to: 1000)
  let centre = median(ofSorted: sorted)
  let centred = sorted.map { $0 - centre }
  let ties = centred.count { $0 == 0 }
  var kernels: [Double] = []
  for upper in centred where upper >= 0 {
    for lower in centred where lower <= 0 && (upper != 0 || lower != 0) {
      kernels.append((upper + lower) / (upper - lower))
    }
  }
  // Pairs of values equal to the median count as -1, 0 and 1 in turn, so that they cancel out.
  for (kernel, count) in [(-1.0, ties * (ties - 1) / 2), (0, ties), (1, ties * (ties - 1) / 2)] {
    kernels += Array(repeating: kernel, count: count)
  }
  return median(of: kernels)
}

/// So many values of a sorted sample, evenly spaced from the first to the last; all of one that has no more.
private func thinned(_ sorted: [Double], to count: Int) -> [Double] {
  guard sorted.count > count else { return sorted }
  return (0..<count).map { sorted[$0 * (sorted.count - 1) / (count - 1)] }
}
