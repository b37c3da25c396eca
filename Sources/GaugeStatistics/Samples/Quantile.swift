// Quantiles of samples, by type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996).

/// A quantile of a sample: linear between order statistics `k` at probability (k - 1) / (n - 1),
/// as R and NumPy have it.
///
/// - Parameters:
///   - probability: The share of the distribution below the quantile, 0 to 1.
///   - sorted: The sample in rising order, not empty.
/// - Complexity: O(1).
public func quantile(_ probability: Double, ofSorted sorted: [Double]) -> Double {
  precondition((0...1).contains(probability), "a probability must be between 0 and 1")
  precondition(!sorted.isEmpty, "a quantile needs a value")
  let n = Double(sorted.count)
  let bounded = min(max((n - 1) * probability, 0), n - 1)
  let below = Int(bounded)
  let above = min(below + 1, sorted.count - 1)
  return sorted[below] + (bounded - Double(below)) * (sorted[above] - sorted[below])
}

/// The median: the middle value, or the mean of the two middle ones.
///
/// - Parameter sorted: The sample in rising order, not empty.
/// - Complexity: O(1).
public func median(ofSorted sorted: [Double]) -> Double {
  precondition(!sorted.isEmpty, "a median needs a value")
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The median of a sample in any order.
///
/// - Parameter sample: The sample, not empty.
/// - Complexity: O(n log n).
public func median(of sample: some Sequence<Double>) -> Double { median(ofSorted: sample.sorted()) }
