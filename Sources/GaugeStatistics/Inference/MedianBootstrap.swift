// The bootstrap distribution of a median as it is, without resampling: how often a resample's middle order statistics
// are which values of the sample has a closed form (Maritz and Jarrett 1978; Hutson and Ernst 2000 for even sizes).

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The medians of all n to the n resamples of a sample.
public struct MedianBootstrap: Sendable {
  /// The values that a resample's median takes, in rising order, each with the share of resamples up to it.
  private var values: [(value: Double, share: Double)] = []

  /// Sizes up to which the pairs of middle values are looked at one by one; beyond, the two middle order statistics are
  /// so close that each is taken by itself.
  private static let largestPaired = 200
  /// A share of resamples that moves no interval.
  private static let negligible = 1e-12

  /// Finds the distribution.
  ///
  /// - Parameter sample: The sample, not empty.
  /// - Complexity: O(n), for even n up to 200 O(n² log n).
  public init(_ sample: [Double]) {
    precondition(!sample.isEmpty, "a bootstrap needs a sample")
    let sorted = sample.sorted()
    if sorted.count.isMultiple(of: 2), sorted.count <= Self.largestPaired {
      appendPairs(sorted)
    } else {
      appendMiddles(sorted)
    }
  }

  /// The interval by the percentile method: what the tails leave of the resamples' medians.
  ///
  /// - Parameter confidence: Wanted coverage, between 0 and 1.
  /// - Complexity: O(values).
  public func interval(confidence: Double) -> Interval {
    precondition(confidence > 0 && confidence < 1, "a confidence must be between 0 and 1")
    let tail = (1 - confidence) / 2
    // Where shares are equal but for rounding the value further out counts.
    func reaching(_ share: Double) -> Double {
      values.first { $0.share >= share - Self.negligible }?.value ?? values[values.count - 1].value
    }
    return Interval(reaching(tail), reaching(1 - tail))
  }

  /// An even size 2r: the mean of the r-th and the next value of a resample.
  ///
  /// Both are x_i and x_j with i < j where r draws are at most x_i, one of them at least x_i itself, and r are x_j or
  /// more, one of them x_j itself.
  private mutating func appendPairs(_ sorted: [Double]) {
    let n = sorted.count
    let r = n / 2
    // C(2r, r), shared out to both factors so that neither gets too large.
    let ways = (1...r).reduce(1.0) { $0 * Double(r + $1) / Double($1) }
    func power(_ k: Int) -> Double { pow(Double(k) / Double(n), Double(r)) }
    // The same from below as, mirrored, from above.
    let ends = (0..<n).map { ways.squareRoot() * (power($0 + 1) - power($0)) }
    let lower = Self.shares(n, atLeast: r)
    var weights: [(value: Double, weight: Double)] = []
    for i in 0..<n {
      var apart = 0.0
      for j in (i + 1)..<max(n, i + 1) {
        let weight = ends[i] * ends[n - 1 - j]
        apart += weight
        if weight > Self.negligible { weights.append(((sorted[i] + sorted[j]) / 2, weight)) }
      }
      let together = lower[i] - (i > 0 ? lower[i - 1] : 0) - apart
      if together > Self.negligible { weights.append((sorted[i], together)) }
    }
    var sum = 0.0
    for (value, weight) in weights.sorted(by: { $0.value < $1.value }) {
      sum += weight
      values.append((value, sum))
    }
  }

  /// An odd size, or one so large that the mean of two middle values is as good as the mean of their quantiles.
  private mutating func appendMiddles(_ sorted: [Double]) {
    let n = sorted.count
    let upper = Self.shares(n, atLeast: n / 2 + 1)
    guard n.isMultiple(of: 2) else {
      values = zip(sorted, upper).map { (value: $0, share: $1) }
      return
    }
    let lower = Self.shares(n, atLeast: n / 2)
    values = sorted.indices.map { (value: sorted[$0], share: (lower[$0] + upper[$0]) / 2) }
  }

  /// For each value, the share of resamples of which at least so many draws are that value or a smaller one.
  private static func shares(_ n: Int, atLeast needed: Int) -> [Double] {
    (1...n).map { k in k == n ? 1 : upperTail(n, Double(k) / Double(n), atLeast: needed) }
  }

  /// P(B >= needed) for a binomial B, from the probabilities relative to that of `needed` itself, which neither
  /// overflow nor vanish.
  private static func upperTail(_ n: Int, _ p: Double, atLeast needed: Int) -> Double {
    // So many deviations from the mean no share is above 1e-100 (Hoeffding's inequality).
    let distance = Double(needed) - Double(n) * p
    if abs(distance) > 11 * Double(n).squareRoot() { return distance > 0 ? 0 : 1 }
    let odds = p / (1 - p)
    var above = 1.0
    var term = 1.0
    for k in stride(from: needed, to: n, by: 1) {
      term *= Double(n - k) / Double(k + 1) * odds
      above += term
      if term < above * 1e-20 { break }
    }
    var below = 0.0
    term = 1
    for k in stride(from: needed, to: 0, by: -1) {
      term *= Double(k) / Double(n - k + 1) / odds
      below += term
      if term < below * 1e-20 { break }
    }
    return above.isFinite && below.isFinite ? above / (above + below) : above.isFinite ? 0 : 1
  }
}
