// Moves a stream to a scheduler: a queue, and at most one job in flight that empties it.

import WeirQueues

/// Subscriber to an upstream and subscription of a downstream that lives on a scheduler.
///
/// Signals go into a queue. `pending` counts those not yet delivered; whoever raises it from zero schedules the job that
/// empties the queue, and the job goes on until it has brought the count back to zero (RxJava's queue-drain). So there is
/// one job per burst, not per value, and the order holds on concurrent schedulers too.
///
/// The queue's producer is the upstream, which is serial by contract. Its consumer is the job, of which there is never
/// more than one: raising from zero happens after the former job's last read-modify-write.
@safe
@usableFromInline
package final class MailboxLink<Context: Scheduler, Downstream: Subscriber>: UpstreamLink, Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @frozen
  @usableFromInline
  enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  /// Signals delivered by one job before it gives way to other work of the scheduler.
  @usableFromInline static var batch: Int { 1024 }

  @usableFromInline let queue = SPSCLinkedQueue<Signal>()
  @usableFromInline let pending = AtomicWord(0)
  @usableFromInline let cancelled = OneShot()
  /// Fires when the completion arrives. The upstream stays until the completion is delivered: until then, demand returned
  /// for the values before it is still asked for, as Combine does.
  @usableFromInline let completed = OneShot()
  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?

  /// SAFETY (exclusivity): the job's, or the canceller's that raised `pending` from zero, after which no job starts.
  @safe @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

  @inlinable
  init(downstream: Downstream, scheduler: Context, options: Context.SchedulerOptions?, name: StaticString) {
    self.downstream = downstream
    self.scheduler = scheduler
    self.options = options
    super.init(
      name: name,
      // SAFETY: the link passed in is the one that holds these closures.
      onRequest: { link, demand in unsafe unsafeDowncast(link, to: MailboxLink.self).request(demand: demand) },
      onCancel: { link in unsafe unsafeDowncast(link, to: MailboxLink.self).end() })
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    if connect(subscription) { downstream?.receive(subscription: self) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if isConnected, !completed.hasFired { post(.value(input)) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if isConnected, completed.fire() { post(.completion(completion)) }
  }

  @inlinable
  func post(_ signal: Signal) {
    queue.enqueue(signal)
    if pending.add(1) == 0 { schedule() }
  }

  @inlinable
  func schedule() {
    scheduler.schedule(options: options) { self.drain() }
  }

  @inlinable
  func drain() {
    guard let downstream else { return }
    var count = min(pending.acquireLoad(), Self.batch)
    while true {
      for _ in 0..<count {
        guard !cancelled.hasFired, let signal = queue.dequeue() else { return discard() }
        switch signal {
        case .value(let value):
          let more = downstream.receive(value)
          if more != .none { forward(more) }
        case .completion(let completion):
          complete()
          discard()
          return downstream.receive(completion: completion)
        }
      }
      let left = pending.add(-count) - count
      if left == 0 { return }
      if count == Self.batch { return schedule() }
      count = min(left, Self.batch)
    }
  }

  /// Frees the downstream and what waits for it. `pending` stays raised, so that no other job starts.
  @inlinable
  func discard() {
    downstream = nil
    while queue.dequeue() != nil {}
  }

  @inlinable
  func request(demand: Subscribers.Demand) {
    if !completed.hasFired { forward(demand) }
  }

  @inlinable
  func end() {
    guard cancelled.fire() else { return }
    if completed.hasFired { complete() } else { disconnect() }
    if pending.add(1) == 0 { discard() }
  }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
