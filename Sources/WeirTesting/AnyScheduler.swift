// Hides a scheduler's type. The model is AnyScheduler of pointfreeco/combine-schedulers.

public import Weir

/// A scheduler with the time and the options of another one whose type is hidden: `AnySchedulerOf<DispatchQueue>`.
public typealias AnySchedulerOf<Model: Scheduler> = AnyScheduler<Model.SchedulerTimeType, Model.SchedulerOptions>

/// A scheduler whose type is hidden, so that a program can run on one scheduler and its tests on another.
///
/// Operators can't tell what is behind it, and rely on it to run every action: a value whose operation is cancelled is
/// left out where they know an `OperationQueue`, but here it comes in place of the next one, and the last signal,
/// mostly the end, never comes.
public struct AnyScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private let getNow: () -> SchedulerTimeType
  private let getTolerance: () -> SchedulerTimeType.Stride
  private let scheduleNow: (SchedulerOptions?, @escaping () -> Void) -> Void
  private let scheduleAfter:
    (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void) -> Void
  private let scheduleRepeatedly:
    (
      SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void
    ) -> any Cancellable

  /// Hides a scheduler's type.
  public init<Hidden: Scheduler>(_ scheduler: Hidden)
  where Hidden.SchedulerTimeType == SchedulerTimeType, Hidden.SchedulerOptions == SchedulerOptions {
    getNow = { scheduler.now }
    getTolerance = { scheduler.minimumTolerance }
    scheduleNow = { scheduler.schedule(options: $0, $1) }
    scheduleAfter = { scheduler.schedule(after: $0, tolerance: $1, options: $2, $3) }
    scheduleRepeatedly = { scheduler.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
  }

  /// The hidden scheduler's present.
  public var now: SchedulerTimeType { getNow() }

  /// The hidden scheduler's smallest tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { getTolerance() }

  /// Runs an action on the hidden scheduler as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { scheduleNow(options, action) }

  /// Runs an action on the hidden scheduler after a date.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    scheduleAfter(date, tolerance, options, action)
  }

  /// Runs an action on the hidden scheduler again and again.
  ///
  /// - Returns: An object that ends the repetition when it is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    scheduleRepeatedly(date, interval, tolerance, options, action)
  }
}

extension Scheduler {
  /// Hides this scheduler's type.
  public func eraseToAnyScheduler() -> AnySchedulerOf<Self> { AnyScheduler(self) }
}
