// Run loops as schedulers.

import Dispatch
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

  /// How a run loop runs scheduled work: the only option is to deliver in batches.
  public struct SchedulerOptions: BatchingSchedulerOptions {
    /// How much one job of an operator delivers; if `nil`, each value has a job of its own.
    public var batch: DeliveryBatch?

    /// Options with which values that are waiting are delivered together: faster, but they may overtake other work of
    /// the loop.
    ///
    /// - Parameters:
    ///   - values: The greatest number of values that one job delivers; at least 1, anything less traps.
    ///   - time: How long after its start a job may still begin to deliver a further value.
    public static func batches(of values: Int = 1024, within time: Duration = .milliseconds(1)) -> SchedulerOptions {
      SchedulerOptions(batch: DeliveryBatch(values: values, time: time))
    }
  }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero; there is no tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action when the loop next turns, in the default mode; that of the main loop on the main queue where an
  /// asynchronous `main` has left the loop to it. What an action schedules so may run in the same turn, behind it. Any
  /// thread may call this.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = ScheduledWork(action)
    if self === RunLoop.main, MainLoop.isGone(otherwise: work) {
      DispatchQueue.main.async { work.runOnce() }
      return
    }
    perform { work.runOnce() }
    #if !canImport(Darwin)
      // The portable Foundation leaves a loop asleep when another thread, or what it runs, gives it a block, and keeps
      // one running without an end that has been given a block before it runs.
      LoopActions.of(self).alarm.turn()
    #endif
  }

  /// Runs an action after a date, in the default mode, or on the main queue where that stands in for the main loop; the
  /// tolerance is ignored. Any thread may call this.
  ///
  /// Actions whose dates have passed when the loop turns run in the order of their dates; what they schedule waits for
  /// the next turn. An action that holds its loop, as a stream's does that waits there, is freed only when it has run:
  /// what `delay` and `receive(on:)` have scheduled on a loop whose thread has ended stays. The timers of `debounce`,
  /// `timeout` and `collect` go when the stream is cancelled, there too. Traps if the date is not a number.
  ///
  /// - Complexity: O(log *n*) in the number of actions that are waiting for their dates on this loop.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    LoopActions.of(self).dated.add(ScheduledWork(action), at: date.date.ofAction)
  }

  /// Runs an action again and again, in the default mode, or on the main queue where that stands in for the main loop;
  /// the tolerance is ignored. Any thread may call this.
  ///
  /// As of a timer, an interval of less than a tenth of a millisecond counts as a tenth of a millisecond, and runs
  /// whose dates were missed are left out, as are those whose dates come while the action runs and turns the loop.
  /// After a first date that is too far back to reckon from, as −∞ is, an interval begins with the first run. Where the
  /// calendar is set back, a run may wait for its date to come again.
  /// Traps where the date or the interval is not a number.
  ///
  /// - Returns: An object that ends the repetition when it is cancelled or freed, by any thread.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let dated = LoopActions.of(self).dated
    let identity = dated.add(
      ScheduledWork(action), at: date.date.ofAction, every: interval.timeInterval.ofRepetition)
    // Weakly: the action may hold this, and the actions go with their loop.
    return AnyCancellable { [weak self, weak dated] in
      withExtendedLifetime(self) { dated?.remove(identity) }
    }
  }
}
