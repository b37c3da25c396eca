// A histogram of constant relative precision and constant recording cost: Gil Tene's HdrHistogram. Ours, as those of
// others are libraries in C or Java, and a call each would be in the latencies.

/// Counts of integer values in buckets whose width grows with the value, so that every value is kept to a fixed number
/// of significant decimal digits over the whole range (Gil Tene, HdrHistogram, <https://hdrhistogram.github.io>).
///
/// All memory is taken when the histogram is made. The structure is a plain value: it may be handed between threads,
/// and one thread at a time may record.
public struct HdrHistogram: Sendable {
  /// The largest value that is kept at full precision; larger ones are counted as this one.
  public let highestTrackableValue: UInt64
  /// Significant decimal digits to which a value is kept, 1 to 5.
  public let significantDigits: Int

  /// Binary logarithm of half the number of linear steps of one bucket; bucket `b` has steps of width `1 << b`.
  @usableFromInline let halfMagnitude: UInt64
  /// All ones below the first value of bucket 1, so that bucket 0 has no special case.
  @usableFromInline let firstBucketMask: UInt64
  /// One count per step, buckets one after the other; buckets above 0 need their upper half only.
  @usableFromInline var counts: [UInt64]
  @usableFromInline var total: UInt64 = 0
  @usableFromInline var clamped: UInt64 = 0
  @usableFromInline var smallest = UInt64.max
  @usableFromInline var largest: UInt64 = 0

  /// Creates an empty histogram.
  ///
  /// - Parameters:
  ///   - highestTrackableValue: The largest value kept at full precision, at least 2.
  ///   - significantDigits: Significant decimal digits to keep, 1 to 5.
  /// - Complexity: O(10^`significantDigits` · log `highestTrackableValue`) memory: 264 KiB for an hour in nanoseconds
  ///   at 3 digits.
  public init(highestTrackableValue: UInt64 = 3_600_000_000_000, significantDigits: Int = 3) {
    precondition(highestTrackableValue >= 2, "highestTrackableValue must be at least 2")
    precondition((1...5).contains(significantDigits), "significantDigits must be between 1 and 5")
    self.highestTrackableValue = highestTrackableValue
    self.significantDigits = significantDigits
    let singleUnitRange = (0..<significantDigits).reduce(2) { product, _ in product * 10 } as UInt64
    let magnitude = UInt64(UInt64.bitWidth - (singleUnitRange - 1).leadingZeroBitCount)
    halfMagnitude = magnitude - 1
    firstBucketMask = (1 << magnitude) - 1
    let significantBits = UInt64(UInt64.bitWidth - highestTrackableValue.leadingZeroBitCount)
    let buckets = significantBits > magnitude ? significantBits - magnitude + 1 : 1
    counts = Array(repeating: 0, count: Int((buckets + 1) << halfMagnitude))
  }

  /// Number of recorded values.
  public var totalCount: UInt64 { total }
  /// Number of recorded values that were above `highestTrackableValue`.
  public var clampedCount: UInt64 { clamped }
  /// The smallest recorded value, exactly; `nil` while empty.
  public var min: UInt64? { total == 0 ? nil : smallest }
  /// The largest recorded value, exactly, also when it was above `highestTrackableValue`; `nil` while empty.
  public var max: UInt64? { total == 0 ? nil : largest }

  /// Records one value.
  ///
  /// - Complexity: O(1); allocates nothing.
  @inlinable
  public mutating func record(_ value: UInt64) {
    record(value, count: 1)
  }

  /// Records a value several times.
  ///
  /// - Complexity: O(1), whatever `count` is; allocates nothing.
  @inlinable
  public mutating func record(_ value: UInt64, count: UInt64) {
    guard count != 0 else { return }
    var kept = value
    if value > highestTrackableValue {
      kept = highestTrackableValue
      clamped &+= count
    }
    counts[index(of: kept)] &+= count
    total &+= count
    if value < smallest { smallest = value }
    if value > largest { largest = value }
  }

  /// Bucket `b` holds the values whose highest bit is `b` above bucket 0's; the step within it is what remains after
  /// dropping the `b` lowest bits.
  @inlinable
  func index(of value: UInt64) -> Int {
    let bucket = UInt64(firstBucketMask.leadingZeroBitCount - (value | firstBucketMask).leadingZeroBitCount)
    return Int((bucket << halfMagnitude) + (value >> bucket))
  }

  /// The counts between the smallest and the largest recorded value, of which there must be one.
  private var occupied: ClosedRange<Int> {
    index(of: Swift.min(smallest, highestTrackableValue))...index(of: Swift.min(largest, highestTrackableValue))
  }

  /// The values that share a count with the one at `index`: the lowest of them, and how many they are.
  private func step(at index: Int) -> (lowest: UInt64, width: UInt64) {
    let position = UInt64(index)
    let half = position >> halfMagnitude
    let bucket = half < 2 ? 0 : half - 1
    return ((position - (bucket << halfMagnitude)) << bucket, 1 << bucket)
  }

  /// The value that the given percentage of the recorded values do not exceed, to the histogram's precision.
  ///
  /// The smallest step that covers ceil(`percentile` / 100 · `totalCount`) values is reported by its highest value (its
  /// lowest for percentile 0), as in HdrHistogram, and kept between the exact `min` and `max`.
  ///
  /// - Parameter percentile: Percentage, 0 to 100.
  /// - Returns: The value, or `nil` while empty.
  /// - Complexity: O(number of steps between the smallest and the largest value).
  public func valueAtPercentile(_ percentile: Double) -> UInt64? {
    precondition((0...100).contains(percentile), "percentile must be between 0 and 100")
    guard total != 0 else { return nil }
    // The next smaller number, so that 99.9 % of 1,000 is 999 and not 1,000 by rounding.
    let wanted = (percentile.nextDown * Double(total) / 100).rounded(.up)
    let rank = Swift.min(Swift.max(1, UInt64(Swift.max(0, wanted))), total)
    var seen: UInt64 = 0
    for index in occupied {
      seen += counts[index]
      if seen >= rank {
        let step = step(at: index)
        let value = percentile == 0 ? step.lowest : step.lowest + (step.width - 1)
        return index == self.index(of: highestTrackableValue) && clamped != 0
          ? largest : Swift.min(Swift.max(value, smallest), largest)
      }
    }
    return largest
  }

  /// The mean of the recorded values, each taken as the middle of its step; `nil` while empty.
  ///
  /// - Complexity: O(number of steps between the smallest and the largest value).
  public var mean: Double? {
    guard total != 0 else { return nil }
    var sum = 0.0
    for index in occupied {
      let step = step(at: index)
      sum += Double(step.lowest + step.width / 2) * Double(counts[index])
    }
    return sum / Double(total)
  }

  /// Adds everything that another histogram recorded.
  ///
  /// - Parameter other: A histogram of the same range and precision.
  /// - Complexity: O(number of steps between the smallest and the largest value); allocates nothing.
  public mutating func merge(_ other: HdrHistogram) {
    precondition(
      highestTrackableValue == other.highestTrackableValue && significantDigits == other.significantDigits,
      "merged histograms must have the same range and precision")
    for (index, count) in other.counts.enumerated() where count != 0 { counts[index] &+= count }
    total &+= other.total
    clamped &+= other.clamped
    smallest = Swift.min(smallest, other.smallest)
    largest = Swift.max(largest, other.largest)
  }

  /// Forgets everything that was recorded and keeps the memory.
  public mutating func reset() {
    for index in counts.indices { counts[index] = 0 }
    total = 0
    clamped = 0
    smallest = .max
    largest = 0
  }
}
