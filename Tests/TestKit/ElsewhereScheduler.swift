// A scheduler that runs everything at once and on another thread: the races of a concurrent queue, step by step.

import Weir

/// Runs each action, to its end and on a thread of its own, before the call that schedules it returns; never one that
/// is to be repeated.
package struct ElsewhereScheduler: Scheduler {
  package typealias SchedulerOptions = Never

  package var now: ManualTime { ManualTime() }
  package var minimumTolerance: ManualTime.Stride { 0 }

  package init() {}

  package func schedule(options: Never?, _ action: @escaping () -> Void) { onThreads(1) { _ in action() } }

  package func schedule(
    after date: ManualTime, tolerance: ManualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) { schedule(options: options, action) }

  package func schedule(
    after date: ManualTime, interval: ManualTime.Stride, tolerance: ManualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}
