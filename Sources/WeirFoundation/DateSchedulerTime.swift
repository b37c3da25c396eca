// Moments and lengths of time of Foundation's schedulers, which use dates: what the types of each have in common.

public import Foundation
public import Weir

/// A moment in the time of a scheduler that uses dates: `RunLoop.SchedulerTimeType`,
/// `OperationQueue.SchedulerTimeType`.
public protocol DateSchedulerTime: Strideable, Codable, Hashable, Sendable where Stride: DateSchedulerStride {
  /// The moment as a date.
  var date: Date { get set }

  /// Wraps a date.
  ///
  /// - Parameter date: The moment.
  init(_ date: Date)
}

extension DateSchedulerTime {
  /// The time from this moment to another.
  ///
  /// - Parameter other: The other moment.
  public func distance(to other: Self) -> Stride {
    Stride(other.date.timeIntervalSinceReferenceDate - date.timeIntervalSinceReferenceDate)
  }

  /// The moment that is a length of time after this one.
  ///
  /// - Parameter value: The length of time; negative for an earlier moment.
  public func advanced(by value: Stride) -> Self { Self(date + value.magnitude) }

  /// Returns `true` if both are the same moment. One infinitely far away is the same as itself, although the distance
  /// between the two, by which other moments can be compared, is no number.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.date == rhs.date }
}

extension Date {
  /// This moment, as one at which something is to be done: traps unless it is a number.
  var ofAction: Date {
    precondition(!timeIntervalSinceReferenceDate.isNaN, "the moment of an action has to be a number")
    return self
  }
}

extension TimeInterval {
  /// This length of time, as the one between two runs of what is repeated: at least a tenth of a millisecond, as
  /// between two of a timer of Foundation's. Traps unless it is a number.
  var ofRepetition: TimeInterval {
    precondition(!isNaN, "the time between two runs has to be a number")
    return max(self, 0.0001)
  }
}

/// A length of time in seconds, between two moments of a scheduler that uses dates.
public protocol DateSchedulerStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
  ExpressibleByFloatLiteral, Codable, Sendable
where Magnitude == TimeInterval, FloatLiteralType == TimeInterval, IntegerLiteralType == TimeInterval {
  /// The length in seconds; negative for a step back.
  var magnitude: TimeInterval { get set }

  /// A number of seconds.
  init(_ timeInterval: TimeInterval)
}

extension DateSchedulerStride {
  /// The length in seconds.
  public var timeInterval: TimeInterval { magnitude }

  /// A number of seconds.
  public init(integerLiteral value: TimeInterval) { self.init(value) }

  /// A number of seconds.
  public init(floatLiteral value: TimeInterval) { self.init(value) }

  /// A number of seconds; `nil` if it can't be represented exactly.
  public init?<Source: BinaryInteger>(exactly source: Source) {
    guard let seconds = TimeInterval(exactly: source) else { return nil }
    self.init(seconds)
  }

  /// Returns `true` if the first length is shorter than the second.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

  /// The product of the seconds.
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

  /// The sum.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

  /// The difference.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

  /// Multiplies by a length.
  public static func *= (lhs: inout Self, rhs: Self) { lhs.magnitude *= rhs.magnitude }

  /// Adds a length.
  public static func += (lhs: inout Self, rhs: Self) { lhs.magnitude += rhs.magnitude }

  /// Subtracts a length.
  public static func -= (lhs: inout Self, rhs: Self) { lhs.magnitude -= rhs.magnitude }

  /// A number of whole seconds.
  public static func seconds(_ value: Int) -> Self { Self(TimeInterval(value)) }

  /// A number of seconds.
  public static func seconds(_ value: Double) -> Self { Self(value) }

  /// A number of milliseconds.
  public static func milliseconds(_ value: Int) -> Self { Self(TimeInterval(value) / 1_000) }

  /// A number of microseconds.
  public static func microseconds(_ value: Int) -> Self { Self(TimeInterval(value) / 1_000_000) }

  /// A number of nanoseconds.
  public static func nanoseconds(_ value: Int) -> Self { Self(TimeInterval(value) / 1_000_000_000) }
}
