// The moments of frames and of repetitions.

import Weir
import WeirQueues

/// The moments at equal intervals after a first one, which has the number 0. Any thread may ask.
final class EqualIntervals<Moment: Strideable> where Moment.Stride: SchedulerTimeIntervalConvertible {
  private let first: Moment
  private let interval: Moment.Stride
  /// The interval times 1, 2, 4 and so on, as far as they were needed: the sum of a stride may trap beyond that.
  private let doublings: Lock<[Moment.Stride]>

  /// Creates the moments.
  ///
  /// - Parameters:
  ///   - first: The moment that has the number 0.
  ///   - interval: The time between two moments, more than none.
  init(from first: Moment, every interval: Moment.Stride) {
    self.first = first
    self.interval = interval
    doublings = Lock([interval])
  }

  /// The interval times powers of two, as many as there are asked for or as a stride can be.
  private func doublings(_ count: Int) -> [Moment.Stride] {
    var lengths = doublings.withLock { $0 }
    guard lengths.count < count else { return lengths }
    while lengths.count < count, let doubled = Moment.doubled(lengths.last!) { lengths.append(doubled) }
    let former = doublings.withLock { state in
      defer { state = lengths }
      return state
    }
    withExtendedLifetime(former) {}
    return lengths
  }

  /// The moment that has a number: as long after the first as the product of that and the interval. In floating point
  /// the product is rounded, and then the moment. A product that a stride can't be is added in parts, up to the end of
  /// all moments.
  ///
  /// - Complexity: O(log *n*) in the number, and linear in the parts.
  func moment(_ number: Int) -> Moment {
    guard number > 0 else { return first }
    let doublings = doublings(Int.bitWidth - number.leadingZeroBitCount)
    var (moment, rest, place) = (first, number, 0)
    var (sum, error) = (Moment.Stride.zero, Moment.Stride.zero)
    while place < doublings.count {
      let length = doublings[place]
      place += 1
      if rest % 2 == 1 {
        // What is added up is shorter than this part, so that the sum is shorter than the next one.
        let longer =
          place < doublings.count ? Moment.roundedSum(of: sum, and: length) : Moment.sum(of: sum, and: length)
        if let longer {
          sum = longer.sum
          error = error + longer.error
        } else {
          (moment, sum, error) = (moment.advanced(by: sum + error), length, .zero)
        }
      }
      rest /= 2
      if rest == 0 { return moment.advanced(by: sum + error) }
    }
    moment = moment.advanced(by: sum + error)
    let length = doublings[place - 1]
    for _ in 0..<rest {
      let next = moment.advanced(by: length).advanced(by: length)
      guard next > moment else { break }
      moment = next
    }
    return moment
  }

  /// Whether a number that can be counted has a moment after another one.
  func goOn(after date: Moment) -> Bool {
    // A sum of integers would trap.
    let isWhole = Moment.Stride.Magnitude.self is any FixedWidthInteger.Type
    var length = interval
    var moment = first.advanced(by: length)
    for _ in 1..<Int.bitWidth {
      if moment > date { return true }
      if isWhole, let number = length.magnitude as? any FixedWidthInteger, number.leadingZeroBitCount < 2 { break }
      length = length + length
      moment = first.advanced(by: length)
    }
    // As far as such a stride goes at once; then on by it.
    while isWhole, moment <= date {
      let next = moment.advanced(by: length)
      guard next > moment else { return false }
      moment = next
    }
    return moment > date
  }
}

extension Strideable where Stride: SchedulerTimeIntervalConvertible {
  /// Twice a length of time; `nil` if a stride can't be as long.
  static func doubled(_ length: Stride) -> Stride? { sum(of: length, and: length)?.sum }

  /// The sum of two lengths of time, and what rounding has left out of it; `nil` if a stride can't be as long.
  fileprivate static func sum(of length: Stride, and other: Stride) -> (sum: Stride, error: Stride)? {
    // A sum of integers would trap.
    let isLong = [length, other].contains {
      ($0.magnitude as? any FixedWidthInteger).map { $0.leadingZeroBitCount < 2 } ?? false
    }
    return isLong ? nil : roundedSum(of: length, and: other)
  }

  /// As `sum`, where it is known that integers can be as long: D. Knuth's TwoSum (The Art of Computer Programming,
  /// volume 2, 4.2.2).
  fileprivate static func roundedSum(of length: Stride, and other: Stride) -> (sum: Stride, error: Stride)? {
    let sum = length + other
    // Infinity.
    guard sum - sum == .zero else { return nil }
    let part = sum - length
    return (sum, (length - (sum - part)) + (other - part))
  }
}
