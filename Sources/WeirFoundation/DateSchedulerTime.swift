// Moments and lengths of time of Foundation's schedulers, which reckon in dates.

public import Foundation
public import Weir

/// A moment in the time of a scheduler that reckons in dates.
///
/// `RunLoop.SchedulerTimeType` and `OperationQueue.SchedulerTimeType` are this type; the parameter keeps them apart.
public struct DateSchedulerTime<Owner>: Strideable, Codable, Hashable {
  /// The moment as a date.
  public var date: Date

  /// Wraps a date.
  ///
  /// - Parameter date: The moment.
  public init(_ date: Date) { self.date = date }

  /// The time from this moment to another.
  ///
  /// - Parameter other: The other moment.
  public func distance(to other: DateSchedulerTime) -> Stride {
    Stride(other.date.timeIntervalSinceReferenceDate - date.timeIntervalSinceReferenceDate)
  }

  /// The moment that lies a time behind this one.
  ///
  /// - Parameter value: The time.
  public func advanced(by value: Stride) -> DateSchedulerTime { DateSchedulerTime(date + value.magnitude) }

  /// A length of time in seconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Codable
  {
    /// Seconds, as a literal.
    public typealias FloatLiteralType = TimeInterval
    /// Seconds, as a literal.
    public typealias IntegerLiteralType = TimeInterval
    /// Seconds.
    public typealias Magnitude = TimeInterval

    /// The length in seconds; negative for a step back.
    public var magnitude: TimeInterval

    /// The length in seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// A number of seconds.
    public init(integerLiteral value: TimeInterval) { magnitude = value }

    /// A number of seconds.
    public init(floatLiteral value: TimeInterval) { magnitude = value }

    /// A number of seconds.
    public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }

    /// A number of seconds, if it can be told exactly.
    public init?<Source: BinaryInteger>(exactly source: Source) {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      magnitude = seconds
    }

    /// Whether one length is shorter.
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

    /// The product of the seconds.
    public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }

    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }

    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }

    /// Multiplies by a length.
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }

    /// Adds a length.
    public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }

    /// Subtracts a length.
    public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }

    /// A number of whole seconds.
    public static func seconds(_ value: Int) -> Stride { Stride(TimeInterval(value)) }

    /// A number of seconds.
    public static func seconds(_ value: Double) -> Stride { Stride(value) }

    /// A number of milliseconds.
    public static func milliseconds(_ value: Int) -> Stride { Stride(TimeInterval(value) / 1_000) }

    /// A number of microseconds.
    public static func microseconds(_ value: Int) -> Stride { Stride(TimeInterval(value) / 1_000_000) }

    /// A number of nanoseconds.
    public static func nanoseconds(_ value: Int) -> Stride { Stride(TimeInterval(value) / 1_000_000_000) }
  }
}
