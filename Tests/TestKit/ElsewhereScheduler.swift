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

/// Takes the numbers from 0 to 3 of a stream that has no end, asking for everything while it gets its subscription.
///
/// - Returns: How many came before the subscriber had returned from that, and all that came.
package func takenOfAnEndlessStream(_ numbers: some Publisher<Int, Never>) -> (within: Int, values: [Int]) {
  let recorder = RecordingSubscriber<Int, Never>()
  var within = -1
  recorder.onSubscription = { subscription in
    subscription.request(.unlimited)
    within = recorder.values.count
  }
  recorder.onValue = { if $0 == 3 { recorder.cancel() } }
  numbers.subscribe(recorder)
  return (within, recorder.values)
}
