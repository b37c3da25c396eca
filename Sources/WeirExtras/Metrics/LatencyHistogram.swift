// How long something took, many times over, in buckets whose width grows with the time.

/// How often something took how long.
///
/// As in an HDR histogram, each doubling of the time has eight buckets of equal width, and times from one to eight
/// nanoseconds have one each: a bucket's upper bound is at most an eighth more than any time in it. What took no time
/// is in the first bucket, and what took longer than 274 seconds in the last.
///
/// - Complexity: Memory is constant: 288 numbers.
public struct LatencyHistogram: Sendable, Equatable {
  /// The bits of a bucket's place within its doubling.
  private static let bits = 3
  private static let longest = 1 << 38
  private static let size = place(of: longest) + 1

  private var counts = [Int](repeating: 0, count: LatencyHistogram.size)

  /// How many times were measured.
  public private(set) var count = 0

  /// All of them together, in nanoseconds; saturates.
  private(set) var nanoseconds = 0

  /// A histogram without times.
  init() {}

  /// All times together.
  public var sum: Duration { .nanoseconds(nanoseconds) }

  /// The buckets in which there are times: the upper bound, which is in the bucket, and how many times it holds.
  ///
  /// - Complexity: O(1): it goes through all buckets.
  public var buckets: [(atMost: Duration, count: Int)] {
    counts.indices.compactMap { place in
      counts[place] == 0 ? nil : (atMost: .nanoseconds(Self.bound(of: place)), count: counts[place])
    }
  }

  /// The time that a share of all times does not exceed: the upper bound of the bucket that it is in.
  ///
  /// - Parameter share: From 0 to 1: 0.5 for the median.
  /// - Returns: The time; `nil` if none was measured.
  /// - Complexity: O(1): it goes through all buckets.
  public func quantile(_ share: Double) -> Duration? {
    precondition((0...1).contains(share), "API violation: a share is a number from 0 to 1")
    var rank = max(1, Int((share * Double(count)).rounded(.up)))
    // The product may be rounded to just above a whole number: 0.07 of 100 times is 7.000000000000001.
    if rank > 1, Double(rank - 1) / Double(count) >= share { rank -= 1 }
    var below = 0
    let place = counts.indices.first { place in
      below += counts[place]
      return below >= rank
    }
    return place.map { .nanoseconds(Self.bound(of: $0)) }
  }

  /// How many times were at most a power of two of nanoseconds.
  func count(atMostTwoToThe exponent: Int) -> Int {
    counts[...Self.place(of: min(1 << exponent, Self.longest))].reduce(0, +)
  }

  /// Adds a time.
  mutating func add(nanoseconds time: Int) {
    let time = max(time, 0)
    counts[Self.place(of: time)] += 1
    count += 1
    let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(time)
    nanoseconds = isTooMuch ? .max : sum
  }

  /// The same numbers, in memory of their own: this one goes on without having to copy them.
  var copied: LatencyHistogram {
    var copy = self
    copy.counts = counts.map { $0 }
    return copy
  }

  /// The bucket of a time. Upper bounds belong to their bucket, so that powers of two are bounds.
  private static func place(of time: Int) -> Int {
    let time = min(max(time, 1), longest) - 1
    guard time >= 1 << bits else { return time }
    let doubling = Int.bitWidth - 1 - time.leadingZeroBitCount - bits
    return ((doubling + 1) << bits) + (time >> doubling) & ((1 << bits) - 1)
  }

  private static func bound(of place: Int) -> Int {
    guard place >= 1 << bits else { return place + 1 }
    let (doubling, within) = ((place >> bits) - 1, place & ((1 << bits) - 1))
    return (1 << bits + within + 1) << doubling
  }
}
