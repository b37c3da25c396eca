// When and where work runs.

/// A length of time in a scheduler's own unit, which can be made of seconds and parts of a second.
public protocol SchedulerTimeIntervalConvertible {
  /// A whole number of seconds.
  static func seconds(_ s: Int) -> Self
  /// A number of seconds, with a fraction.
  static func seconds(_ s: Double) -> Self
  /// A number of milliseconds.
  static func milliseconds(_ ms: Int) -> Self
  /// A number of microseconds.
  static func microseconds(_ us: Int) -> Self
  /// A number of nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}

/// Runs closures: as soon as possible, after a date, or repeatedly.
///
/// Any thread may schedule. A scheduler need not be serial; the operators that use one keep their values in order. It
/// must run every action that it accepts: operators deliver values in order, one for each action, so that an action
/// that is dropped keeps the last value back.
public protocol Scheduler<SchedulerTimeType> {
  /// A moment in the scheduler's time.
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// Scheduler-specific options; `Never` if there are none.
  associatedtype SchedulerOptions

  /// The present moment in the scheduler's time.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that the scheduler honours, in its own time.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs an action as soon as possible.
  ///
  /// - Parameters:
  ///   - options: Scheduler-specific options.
  ///   - action: What to run.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs an action after a date.
  ///
  /// - Parameters:
  ///   - date: The earliest moment at which the action may run.
  ///   - tolerance: How much later it may run.
  ///   - options: Scheduler-specific options.
  ///   - action: What to run.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)

  /// Runs an action again and again.
  ///
  /// - Parameters:
  ///   - date: The earliest moment at which the action may first run.
  ///   - interval: The time from one run to the next.
  ///   - tolerance: How much later each run may be.
  ///   - options: Scheduler-specific options.
  ///   - action: What to run.
  /// - Returns: An object that ends the repetition when it is cancelled.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs an action as soon as possible.
  @_alwaysEmitIntoClient
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  /// Runs an action after a date, with the smallest tolerance.
  @_alwaysEmitIntoClient
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action after a date, with a tolerance.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs an action again and again, with a tolerance.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }

  /// Runs an action again and again, with the smallest tolerance.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }
}
