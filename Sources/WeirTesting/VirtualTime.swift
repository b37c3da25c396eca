// The time of a test scheduler that imitates no other scheduler.

import Dispatch
public import Weir
import WeirDispatch

/// A moment in virtual time, some 292 years from the beginning of the test at most: arithmetic saturates there.
public struct VirtualTime: Strideable, Hashable, Sendable {
  /// Nanoseconds since the beginning of the test.
  public var nanoseconds: Int

  /// Creates a moment.
  ///
  /// - Parameter nanoseconds: Nanoseconds since the beginning of the test.
  public init(nanoseconds: Int = 0) { self.nanoseconds = nanoseconds }

  /// The time from here to another moment.
  public func distance(to other: VirtualTime) -> Stride { .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds) }

  /// The moment after some time.
  public func advanced(by stride: Stride) -> VirtualTime {
    VirtualTime(nanoseconds: (Stride.nanoseconds(nanoseconds) + stride).magnitude)
  }

  /// A length of virtual time. A literal means seconds, as for `DispatchQueue`. Arithmetic saturates at some 292 years.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable,
    Sendable
  {
    /// The length in nanoseconds; negative for a step back.
    public var magnitude: Int

    private init(nanoseconds: Int) { magnitude = nanoseconds }

    /// A number of seconds.
    public init(integerLiteral value: Int) { self = .seconds(value) }

    /// A number of seconds, rounded to nanoseconds.
    public init(floatLiteral value: Double) { self = .seconds(value) }

    /// A number of seconds, as for `DispatchQueue`, and as of a literal; `nil` if it doesn't fit into an `Int`.
    public init?(exactly source: some BinaryInteger) {
      guard let value = Int(exactly: source) else { return nil }
      self = .seconds(value)
    }

    /// Returns `true` if the first length is shorter than the second.
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride {
      let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
      return .nanoseconds(overflow ? (rhs.magnitude > 0 ? .max : .min) : sum)
    }

    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride {
      let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
      return .nanoseconds(overflow ? (rhs.magnitude < 0 ? .max : .min) : difference)
    }

    /// The product of the seconds, rounded towards zero to nanoseconds, as for `DispatchQueue`.
    public static func * (lhs: Stride, rhs: Stride) -> Stride {
      typealias Length = DispatchQueue.SchedulerTimeType.Stride
      return .nanoseconds((Length.nanoseconds(lhs.magnitude) * .nanoseconds(rhs.magnitude)).magnitude)
    }

    /// Multiplies the seconds.
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }

    /// A number of whole seconds.
    public static func seconds(_ value: Int) -> Stride { product(value, 1_000_000_000) }

    /// A number of seconds, rounded to nanoseconds. It has to be a number; infinity is the longest time.
    public static func seconds(_ value: Double) -> Stride {
      precondition(!value.isNaN, "a length of time has to be a number")
      // Whole seconds apart: beyond 104 days the product has more digits than a `Double`.
      let whole = value.rounded(.towardZero)
      guard let seconds = Int(exactly: whole) else { return Stride(nanoseconds: value > 0 ? .max : .min) }
      return .seconds(seconds) + .nanoseconds(Int(((value - whole) * 1_000_000_000).rounded()))
    }

    /// A number of milliseconds.
    public static func milliseconds(_ value: Int) -> Stride { product(value, 1_000_000) }

    /// A number of microseconds.
    public static func microseconds(_ value: Int) -> Stride { product(value, 1_000) }

    /// A number of nanoseconds.
    public static func nanoseconds(_ value: Int) -> Stride { Stride(nanoseconds: value) }

    private static func product(_ count: Int, _ unit: Int) -> Stride {
      let (product, overflow) = count.multipliedReportingOverflow(by: unit)
      return Stride(nanoseconds: overflow ? ((count < 0) == (unit < 0) ? .max : .min) : product)
    }
  }
}
