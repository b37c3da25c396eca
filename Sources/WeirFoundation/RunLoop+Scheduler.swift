// Run loops as schedulers.

public import Foundation
public import Weir

extension RunLoop: Scheduler {
  /// A moment in the time of run loops.
  public typealias SchedulerTimeType = DateSchedulerTime<RunLoop>

  /// How a run loop runs scheduled work: there is nothing to choose.
  public struct SchedulerOptions {}

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action when the loop next turns, in the default mode; from any thread.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = ScheduledWork(action)
    perform { work.runOnce() }
    #if !canImport(Darwin)
      // The portable Foundation leaves a loop asleep when another thread gives it a block; a timer wakes it.
      if self !== RunLoop.current { add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .default) }
    #endif
  }

  /// Runs an action after a date, in the default mode; from any thread.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = ScheduledWork(action)
    add(Timer(fire: date.date, interval: 0, repeats: false) { _ in work.runOnce() }, tolerance)
  }

  /// Runs an action again and again, in the default mode; from any thread.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = ScheduledWork(action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in work.run() }
    add(timer, tolerance)
    return AnyCancellable {
      work.drop()
      timer.invalidate()
    }
  }

  private func add(_ timer: Timer, _ tolerance: SchedulerTimeType.Stride) {
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
  }
}
