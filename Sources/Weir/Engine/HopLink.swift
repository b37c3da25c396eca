// Moves a stream to a scheduler, at once or after a time: the engine of receive(on:) and delay.

import WeirQueues

/// When a value that has arrived is delivered.
@usableFromInline
package protocol Hop {
  /// Where it is delivered.
  associatedtype Context: Scheduler

  /// Where it is delivered.
  var scheduler: Context { get }
  /// Scheduler-specific options.
  var options: Context.SchedulerOptions? { get }

  /// Sees to the delivery of a signal that has just been put into a link's queue.
  func send(_ link: HopLink<Self, some Subscriber>)
}

/// As soon as possible: a burst of signals is delivered by one job.
@frozen
@usableFromInline
package struct ImmediateHop<Context: Scheduler>: Hop {
  @usableFromInline package let scheduler: Context
  @usableFromInline package let options: Context.SchedulerOptions?

  @inlinable
  package init(scheduler: Context, options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
  }

  @inlinable @inline(__always)
  package func send(_ link: HopLink<Self, some Subscriber>) {
    if link.raise() { link.schedule() }
  }
}

/// After a time: each signal has its own timer.
///
/// On a concurrent scheduler timers may overtake each other. A timer therefore only says that one more signal is due, and
/// the first ones in the queue are delivered.
@frozen
@usableFromInline
package struct DelayedHop<Context: Scheduler>: Hop {
  @usableFromInline package let scheduler: Context
  @usableFromInline package let options: Context.SchedulerOptions?
  @usableFromInline let interval: Context.SchedulerTimeType.Stride
  @usableFromInline let tolerance: Context.SchedulerTimeType.Stride

  @inlinable
  package init(
    scheduler: Context, options: Context.SchedulerOptions?, interval: Context.SchedulerTimeType.Stride,
    tolerance: Context.SchedulerTimeType.Stride
  ) {
    self.scheduler = scheduler
    self.options = options
    self.interval = interval
    self.tolerance = tolerance
  }

  @inlinable @inline(__always)
  package func send(_ link: HopLink<Self, some Subscriber>) {
    scheduler.schedule(after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options) {
      if link.raise() { link.drain() }
    }
  }
}

/// Subscriber to an upstream and subscription of a downstream that lives on a scheduler.
@safe
@usableFromInline
package final class HopLink<Rule: Hop, Downstream: Subscriber>: MailboxLink<Rule.Context, Downstream>, Subscriber {
  @usableFromInline package typealias Input = Downstream.Input

  @usableFromInline let rule: Rule

  @inlinable
  init(_ rule: Rule, downstream: Downstream, name: StaticString) {
    self.rule = rule
    super.init(
      downstream: downstream, scheduler: rule.scheduler, options: rule.options, name: name,
      // SAFETY: the link passed in is the one that holds these closures.
      onRequest: { link, demand in unsafe unsafeDowncast(link, to: HopLink.self).request(demand: demand) },
      onCancel: { link in unsafe unsafeDowncast(link, to: HopLink.self).end() })
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    if connect(subscription) { downstream?.receive(subscription: self) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if isListening { post(.value(input)) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if isConnected, completed.fire() { post(.completion(completion)) }
  }

  @inlinable
  func post(_ signal: Signal) {
    queue.enqueue(signal)
    rule.send(self)
  }

  @inlinable
  func schedule() {
    scheduler.schedule(options: options) { self.drain() }
  }

  @inlinable
  func drain() {
    if deliver({ forward($0) }) { schedule() }
  }

  @inlinable
  func request(demand: Subscribers.Demand) {
    if !completed.hasFired { forward(demand) }
  }

  @inlinable
  func end() {
    guard cancelled.fire() else { return }
    if completed.hasFired { complete() } else { disconnect() }
    close()
  }
}
