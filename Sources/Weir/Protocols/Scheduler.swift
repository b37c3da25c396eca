// When and where work runs.

/// A length of time that a scheduler understands.
public protocol SchedulerTimeIntervalConvertible {
  /// A number of whole seconds.
  static func seconds(_ s: Int) -> Self
  /// A number of seconds.
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
/// May be called from any thread. A scheduler need not be serial; the operators that use one keep their values in order.
public protocol Scheduler<SchedulerTimeType> {
  /// A moment in the scheduler's time.
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// Scheduler-specific options; `Never` if there are none.
  associatedtype SchedulerOptions

  /// The present moment in the scheduler's time.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that the scheduler honours.
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
  ///   - date: The moment not before which the action runs.
  ///   - tolerance: How much later it may run.
  ///   - options: Scheduler-specific options.
  ///   - action: What to run.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)

  /// Runs an action again and again.
  ///
  /// - Parameters:
  ///   - date: The moment not before which the action first runs.
  ///   - interval: The time between runs.
  ///   - tolerance: How much later each may run.
  ///   - options: Scheduler-specific options.
  ///   - action: What to run.
  /// - Returns: Cancels the repetition.
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
