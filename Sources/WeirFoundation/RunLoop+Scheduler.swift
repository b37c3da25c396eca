// Run loops as schedulers.

public import Foundation
public import Weir

extension RunLoop: Scheduler {
  /// A moment in the time of run loops.
  public struct SchedulerTimeType: DateSchedulerTime {
    /// The moment as a date.
    public var date: Date

    /// Wraps a date.
    ///
    /// - Parameter date: The moment.
    public init(_ date: Date) { self.date = date }

    /// A length of time in seconds.
    public struct Stride: DateSchedulerStride {
      /// The length in seconds; negative for a step back.
      public var magnitude: TimeInterval

      /// A number of seconds.
      public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    }
  }

  /// How a run loop runs scheduled work: there is nothing to choose but batches.
  public struct SchedulerOptions: BatchingSchedulerOptions {
    /// How much one job delivers, for operators; each value has its own if `nil`.
    public var batch: DeliveryBatch?

    /// Options with which values that wait are delivered together: faster, but they may overtake other work of the loop.
    ///
    /// - Parameters:
    ///   - values: The most values that one job delivers; at least one.
    ///   - time: For how long one job goes on to a further value.
    public static func batches(of values: Int = 1024, within time: Duration = .milliseconds(1)) -> SchedulerOptions {
      SchedulerOptions(batch: DeliveryBatch(values: values, time: time))
    }
  }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action when the loop next turns, in the default mode; from any thread.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = ScheduledWork(action)
    perform { work.runOnce() }
    #if !canImport(Darwin)
      // The portable Foundation leaves a loop asleep when another thread gives it a block.
      if self !== RunLoop.current { LoopActions.of(self).alarm.wake() }
    #endif
  }

  /// Runs an action after a date, in the default mode; from any thread. There is no tolerance.
  ///
  /// Actions whose dates have passed run in the order of their dates. Traps where the date is not a number.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    LoopActions.of(self).dated.add(ScheduledWork(action), at: date.date.ofAction)
  }

  /// Runs an action again and again, in the default mode; from any thread. There is no tolerance.
  ///
  /// As of a timer, an interval of less than a tenth of a millisecond counts as one, and runs whose dates were missed are left
  /// out. After a first date that is too far back to reckon from, as −∞ is, an interval begins with the first run. Traps where
  /// the date or the interval is not a number.
  ///
  /// - Returns: Cancels the repetition, also when it is dropped. Any thread may do so.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let dated = LoopActions.of(self).dated
    let identity = dated.add(
      ScheduledWork(action), at: date.date.ofAction, every: interval.timeInterval.ofRepetition)
    return AnyCancellable { [weak self] in
      withExtendedLifetime(self) { dated.remove(identity) }
    }
  }
}
