// Runs everything at once.

/// Runs each action before the call that schedules it returns, on the same thread and whatever its date; a repeated
/// action runs once.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// There are no options.
  public typealias SchedulerOptions = Never

  /// The scheduler.
  public static let shared = ImmediateScheduler()

  /// The one moment of a scheduler without time.
  public struct SchedulerTimeType: Strideable, Sendable {
    @usableFromInline
    init() {}

    /// Zero: there is only one moment.
    @_alwaysEmitIntoClient
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// The same moment.
    @_alwaysEmitIntoClient
    public func advanced(by _: Stride) -> SchedulerTimeType { self }
  }

  /// The one moment.
  @_alwaysEmitIntoClient
  public var now: SchedulerTimeType { SchedulerTimeType() }

  /// Zero.
  @_alwaysEmitIntoClient
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action now.
  @_alwaysEmitIntoClient
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

  /// Runs an action now.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs an action now, and only once.
  ///
  /// - Returns: An object whose cancellation does nothing: the action has run.
  @_alwaysEmitIntoClient
  @discardableResult
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

extension ImmediateScheduler.SchedulerTimeType {
  /// A length of time, which this scheduler ignores.
  public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable, SchedulerTimeIntervalConvertible,
    Sendable
  {
    /// The length, in no unit; negative for a step back.
    public var magnitude: Int

    /// Creates a length.
    ///
    /// - Parameter value: The length, in no unit.
    @_alwaysEmitIntoClient
    public init(_ value: Int) { magnitude = value }

    /// Creates a length from a literal.
    @_alwaysEmitIntoClient
    public init(integerLiteral value: Int) { self.init(value) }

    /// Creates a length from a literal, truncated to a whole number.
    @_alwaysEmitIntoClient
    public init(floatLiteral value: Double) { self.init(Int(value)) }

    /// Creates a length from an integer; `nil` if that does not fit into an `Int`.
    @_alwaysEmitIntoClient
    public init?<BinaryIntegerType: BinaryInteger>(exactly source: BinaryIntegerType) {
      guard let value = Int(exactly: source) else { return nil }
      self.init(value)
    }

    /// Returns `true` if the first length is shorter than the second.
    @_alwaysEmitIntoClient
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

    /// The product.
    @_alwaysEmitIntoClient
    public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }

    /// The sum.
    @_alwaysEmitIntoClient
    public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }

    /// The difference.
    @_alwaysEmitIntoClient
    public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }

    /// Subtracts.
    @_alwaysEmitIntoClient
    public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }

    /// Multiplies.
    @_alwaysEmitIntoClient
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }

    /// Adds.
    @_alwaysEmitIntoClient
    public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }

    /// Zero, whatever the argument.
    @_alwaysEmitIntoClient
    public static func seconds(_: Int) -> Stride { 0 }

    /// Zero, whatever the argument.
    @_alwaysEmitIntoClient
    public static func seconds(_: Double) -> Stride { 0 }

    /// Zero, whatever the argument.
    @_alwaysEmitIntoClient
    public static func milliseconds(_: Int) -> Stride { 0 }

    /// Zero, whatever the argument.
    @_alwaysEmitIntoClient
    public static func microseconds(_: Int) -> Stride { 0 }

    /// Zero, whatever the argument.
    @_alwaysEmitIntoClient
    public static func nanoseconds(_: Int) -> Stride { 0 }
  }
}
