// The time of a test scheduler that imitates no other scheduler.

public import Weir

/// A moment in virtual time.
public struct VirtualTime: Strideable, Hashable, Sendable {
  /// Nanoseconds since the beginning of the test.
  public var nanoseconds: Int

  /// Creates a moment.
  ///
  /// - Parameter nanoseconds: Nanoseconds since the beginning of the test.
  public init(nanoseconds: Int = 0) { self.nanoseconds = nanoseconds }

  /// The time from here to another moment.
  public func distance(to other: VirtualTime) -> Stride { .nanoseconds(other.nanoseconds - nanoseconds) }

  /// The moment after some time.
  public func advanced(by stride: Stride) -> VirtualTime { VirtualTime(nanoseconds: nanoseconds + stride.magnitude) }

  /// A length of virtual time. A plain number means seconds, as for `DispatchQueue`.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable,
    Sendable
  {
    /// The length in nanoseconds; negative for a step back.
    public var magnitude: Int

    private init(nanoseconds: Int) { magnitude = nanoseconds }

    /// A number of seconds.
    public init(integerLiteral value: Int) { self = .seconds(value) }

    /// A number of seconds.
    public init(floatLiteral value: Double) { self = .seconds(value) }

    /// A number of nanoseconds, if it fits.
    public init?(exactly source: some BinaryInteger) {
      guard let value = Int(exactly: source) else { return nil }
      magnitude = value
    }

    /// Whether one is shorter.
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride { .nanoseconds(lhs.magnitude + rhs.magnitude) }

    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride { .nanoseconds(lhs.magnitude - rhs.magnitude) }

    /// The product of the nanoseconds.
    public static func * (lhs: Stride, rhs: Stride) -> Stride { .nanoseconds(lhs.magnitude * rhs.magnitude) }

    /// Multiplies the nanoseconds.
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }

    /// A number of whole seconds.
    public static func seconds(_ value: Int) -> Stride { Stride(nanoseconds: value * 1_000_000_000) }

    /// A number of seconds, to the nearest nanosecond.
    public static func seconds(_ value: Double) -> Stride {
      Stride(nanoseconds: Int((value * 1_000_000_000).rounded()))
    }

    /// A number of milliseconds.
    public static func milliseconds(_ value: Int) -> Stride { Stride(nanoseconds: value * 1_000_000) }

    /// A number of microseconds.
    public static func microseconds(_ value: Int) -> Stride { Stride(nanoseconds: value * 1_000) }

    /// A number of nanoseconds.
    public static func nanoseconds(_ value: Int) -> Stride { Stride(nanoseconds: value) }
  }
}
