// An asynchronous operation as a stream of one value: the piece that the bridges from async code share.

import Weir

/// Does work for each subscriber when it first asks for a value, and publishes what the work makes, if that is
/// something. Cancelling the subscription cancels the task that does the work.
@usableFromInline
struct AsyncOperation<Work: AsyncWork>: Publisher {
  @usableFromInline typealias Output = Work.Output
  @usableFromInline typealias Failure = Work.Failure

  @usableFromInline let work: Work
  @usableFromInline let priority: TaskPriority?
  /// `true` if it finishes once it has published its value; `false` if only when it is asked for a second one: an
  /// operator that makes streams of values takes that for the time to make the next one, and asks once it has passed
  /// this one's value on.
  @usableFromInline let endsAtOnce: Bool

  @inlinable
  init(_ work: Work, priority: TaskPriority?, endsAtOnce: Bool = true) {
    self.work = work
    self.priority = priority
    self.endsAtOnce = endsAtOnce
  }

  @inlinable
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscriber.receive(
      subscription: TaskLink(work, priority: priority, endsAtOnce: endsAtOnce, downstream: subscriber))
  }
}
