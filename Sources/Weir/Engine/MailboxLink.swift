// The side of a subscription that lives on a scheduler: a queue, and at most one job in flight that empties it.

import WeirQueues

/// Delivers to a downstream on a scheduler, in order.
///
/// Signals go into a queue. `pending` counts those that are due and not yet delivered; whoever raises it from zero sees to
/// it that the queue is emptied on the scheduler, and that goes on until the count is back at zero (RxJava's queue-drain).
/// So there is one job per burst, not per value, and the order holds on concurrent schedulers too.
///
/// The queue has one producer at a time: the upstream, which is serial by contract, or the holder of a subclass's lock.
/// Its consumer is the job, of which there is never more than one: raising from zero happens after the former job's last
/// read-modify-write.
@safe
@usableFromInline
package class MailboxLink<Context: Scheduler, Downstream: Subscriber>: UpstreamLink {
  @usableFromInline package typealias Failure = Downstream.Failure

  @frozen
  @usableFromInline
  package enum Signal {
    case value(Downstream.Input)
    /// A value for which the demand that the downstream returns is not heeded.
    case unanswered(Downstream.Input)
    case completion(Subscribers.Completion<Downstream.Failure>)
  }

  /// Signals delivered by one job before it gives way to other work of the scheduler.
  @usableFromInline static var batch: Int { 1024 }

  @usableFromInline let queue = SPSCLinkedQueue<Signal>()
  // The producer writes the count with each signal, while the job reads what is around it.
  @usableFromInline let paddingBefore = CacheLinePadding()
  @usableFromInline let pending = AtomicWord(0)
  @usableFromInline let paddingBehind = CacheLinePadding()
  @usableFromInline let cancelled = OneShot()
  /// Fires when the completion arrives. The upstream stays until the completion is delivered: until then, demand returned
  /// for the values before it is still asked for, as Combine does.
  @usableFromInline let completed = OneShot()
  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?

  /// SAFETY (exclusivity): the job's, or the canceller's that raised `pending` from zero, after which no job starts.
  @safe @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

  @inlinable
  init(
    downstream: Downstream, scheduler: Context, options: Context.SchedulerOptions?, name: StaticString, scale: Int = 1,
    onRequest: @escaping (Link, Subscribers.Demand) -> Void, onCancel: @escaping (Link) -> Void
  ) {
    self.downstream = downstream
    self.scheduler = scheduler
    self.options = options
    super.init(name: name, scale: scale, onRequest: onRequest, onCancel: onCancel)
  }

  /// Whether signals of the upstream are taken: between its subscription and its completion.
  @inlinable @inline(__always)
  final var isListening: Bool { isConnected && !completed.hasFired }

  /// Makes signals that are in the queue due.
  ///
  /// - Returns: Whether the caller is to see to their delivery, as nobody else does.
  @inlinable @inline(__always)
  final func raise(_ count: Int = 1) -> Bool { pending.add(count) == 0 }

  /// Delivers what is due, on the scheduler. Only for who raised the count from zero, or was told to go on by this.
  ///
  /// - Parameter answer: Takes the demand that the downstream returns.
  /// - Returns: Whether the batch is full: the caller schedules a job that goes on.
  @inlinable @inline(__always)
  final func deliver(_ answer: (Subscribers.Demand) -> Void) -> Bool {
    guard let downstream else { return false }
    var count = min(pending.acquireLoad(), Self.batch)
    let isBurst = count > 1
    while true {
      for _ in 0..<count {
        guard !cancelled.hasFired, let signal = queue.dequeue() else {
          discard()
          return false
        }
        switch signal {
        case .value(let value):
          let more = downstream.receive(value)
          if more != .none { answer(more) }
        case .unanswered(let value): _ = downstream.receive(value)
        case .completion(let completion):
          complete()
          discard()
          downstream.receive(completion: completion)
          return false
        }
      }
      // A further job would cost far more than this, and each look at the count takes its cache line from the producer.
      if isBurst { lingerForBurst() }
      let left = pending.add(-count) - count
      if left == 0 { return false }
      if count == Self.batch { return true }
      count = min(left, Self.batch)
    }
  }

  /// Frees the downstream and what waits for it. `pending` stays raised, so that no other job starts.
  @inlinable
  final func discard() {
    downstream = nil
    while queue.dequeue() != nil {}
  }

  /// Frees the downstream and what waits for it, or leaves that to the job in flight. For the canceller, once.
  @inlinable
  final func close() {
    if raise() { discard() }
  }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
