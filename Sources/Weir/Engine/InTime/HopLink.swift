// Moves a stream to a scheduler, at once or after a time: the engine of receive(on:) and delay.

import WeirQueues

/// When a value that has arrived is delivered.
@usableFromInline
package protocol HopPolicy {
  /// Where it is delivered.
  associatedtype Context: Scheduler

  /// Where it is delivered.
  var scheduler: Context { get }
  /// Scheduler-specific options.
  var options: Context.SchedulerOptions? { get }

  /// Whether signals that have no job in common are sent by one and the same job again and again.
  static var repeatsJob: Bool { get }

  /// Sees to the delivery of a signal that has just been put into a link's queue.
  ///
  /// - Parameter number: The signal's number there, where its job may be dropped.
  func send(_ number: Int, _ link: HopLink<Self, some Subscriber>)
}

/// As soon as possible: by a job for each signal, or by one for a batch.
@frozen
@usableFromInline
package struct ImmediateHopPolicy<Context: Scheduler>: HopPolicy {
  @usableFromInline package let scheduler: Context
  @usableFromInline package let options: Context.SchedulerOptions?

  @inlinable package static var repeatsJob: Bool { true }

  @inlinable
  package init(scheduler: Context, options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
  }

  @inlinable @inline(__always)
  package func send(_ number: Int, _ link: HopLink<Self, some Subscriber>) {
    if let job = link.job {
      job()
    } else if link.batch == nil {
      if link.droppable != nil {
        link.scheduleDroppableJob(number..<number + 1)
      } else {
        scheduler.schedule(options: options) { link.takeTurn() }
      }
    } else if link.work.raise() {
      link.schedule(mayBeRefused: link.mayBeRefused)
    }
  }
}

/// After a time: each signal has its own timer.
///
/// On a concurrent scheduler timers may overtake each other. A timer therefore only says that one more signal is due,
/// and the first ones in the queue are delivered. There are no batches: what is due has its timer.
@frozen
@usableFromInline
package struct DelayedHopPolicy<Context: Scheduler>: HopPolicy {
  @usableFromInline package let scheduler: Context
  @usableFromInline package let options: Context.SchedulerOptions?
  @usableFromInline let interval: Context.SchedulerTimeType.Stride
  @usableFromInline let tolerance: Context.SchedulerTimeType.Stride

  @inlinable package static var repeatsJob: Bool { false }

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
  package func send(_ number: Int, _ link: HopLink<Self, some Subscriber>) {
    let date = scheduler.now.advanced(by: interval)
    if link.droppable != nil {
      let job = DroppableJob(link, number..<number + 1)
      scheduler.schedule(after: date, tolerance: tolerance, options: options) { job.run() }
    } else {
      scheduler.schedule(after: date, tolerance: tolerance, options: options) { link.takeTurn() }
    }
  }
}

/// Subscriber to an upstream and subscription of a downstream that lives on a scheduler.
@safe
@usableFromInline
package final class HopLink<Policy: HopPolicy, Downstream: Subscriber>: MailboxLink<Policy.Context, Downstream>,
  Subscriber, JobOwner
{
  @usableFromInline package typealias Input = Downstream.Input

  @usableFromInline let policy: Policy
  /// Submits the job that takes one turn, on schedulers that make such. It does not hold the link.
  ///
  /// SAFETY (exclusivity): set before anyone else has the link.
  @safe @exclusivity(unchecked) @usableFromInline var job: (() -> Void)?
  /// Sees to it that the queue has one producer at a time, where the publisher may break its contract.
  @usableFromInline let turnstile = Turnstile()

  @inlinable
  init(_ policy: Policy, downstream: Downstream, name: StaticString) {
    self.policy = policy
    super.init(
      downstream: downstream, scheduler: policy.scheduler, options: policy.options, name: name,
      onRequest: { link, demand in link.downcast(to: HopLink.self).request(demand: demand) },
      onCancel: { link in link.downcast(to: HopLink.self).end() })
    if Policy.repeatsJob, batch == nil {
      job = makeJob(on: policy.scheduler, options: policy.options, for: self) { link in
        link.downcast(to: HopLink.self).takeTurn()
      }
    }
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard connect(subscription) else { return }
    turnstile.trust(subscription)
    // A job that runs within, on this thread, delivers its signal there: as on a scheduler that runs jobs at once.
    work.begin()
    if deliverSubscription() { schedule(mayBeRefused: Policy.Context.mayClose) }
    forwardEarlyDemand()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if isListening { take(.value(input)) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard isConnected, completed.fire() else { return }
    keepCheckpoints(of: completion)
    take(.completion(completion))
  }

  @inlinable @inline(__always)
  func take(_ signal: Signal) {
    if turnstile.isWatched { turnstile.pass(name) { post(signal) } } else { post(signal) }
  }

  @inlinable
  func post(_ signal: Signal) { policy.send(enqueue(signal), self) }

  /// Schedules a job that has the role, which is given up if the scheduler is closed.
  @inlinable
  func schedule(mayBeRefused: Bool) { if !scheduleJob(mayBeRefused: mayBeRefused) { giveUp() } }

  @inlinable
  package func runJob(_ pieces: Range<Int>) {
    if pieces.isEmpty { drain(work.count.acquireLoad()) } else { takeTurn() }
  }

  /// Delivers one signal, or leaves that to who is at it: a job that was scheduled for one.
  @inlinable
  func takeTurn() {
    switch work.bring(1) {
    case .idle: drain(1)
    case .nested: deliverNested(1) { forward($0) }
    case .busy: break
    }
  }

  @inlinable @inline(__always)
  func drain(_ count: Int) {
    if deliver(count, { forward($0) }), !scheduleJob(mayBeRefused: mayBeRefused) { deliverLast { forward($0) } }
  }

  @inlinable
  func request(demand: Subscribers.Demand) {
    if !completed.hasFired { ask(demand) }
  }

  @inlinable
  func end() {
    guard cancelled.fire() else { return }
    if completed.hasFired { complete() } else { disconnect() }
    close()
  }
}
