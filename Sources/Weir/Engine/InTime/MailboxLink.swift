// The side of a subscription that lives on a scheduler: a queue, and the jobs that empty it.

import WeirQueues

/// Delivers to a downstream on a scheduler, in order.
///
/// Signals go into a queue, and for each a job is scheduled that delivers the first one there: so a signal is delivered
/// in the place where it was sent among the scheduler's other jobs. Where jobs run at the same time, one delivers for
/// all (`WorkInProgress`).
///
/// In batches there is at most one job in flight: whoever raises the number of turns from zero schedules it, and it
/// goes on until no turn is left or the batch is full, when a further job takes the role over (RxJava's queue-drain).
///
/// The queue has one producer at a time: the upstream, which is serial by contract, or the holder of a subclass's lock.
/// Its consumer is who has the role: at first who brings the subscription, until the downstream has that. Jobs that run
/// on other threads meanwhile leave their turns, so that no two threads call the downstream at once.
///
/// What the downstream asks for as it gets its subscription goes upstream when it has it: an upstream may serve a
/// request until it is cancelled, and all that time nothing would be delivered. A subject is asked at once, as it drops
/// what nobody has asked for. With `ImmediateScheduler` it goes there at once, as in Combine: the values are delivered
/// within.
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

  @usableFromInline let queue = SPSCLinkedQueue<Signal>()
  /// Where the signals wait instead if the scheduler may drop jobs.
  @usableFromInline package let droppable: DroppableQueue<Signal>?
  @usableFromInline let work = WorkInProgress()
  @usableFromInline let cancelled = OneShot()
  /// Fires when the completion arrives. The upstream stays until the completion is delivered: until then, demand
  /// returned for the values before it is still asked for, as Combine does.
  @usableFromInline let completed = OneShot()
  @usableFromInline package let scheduler: Context
  @usableFromInline package let options: Context.SchedulerOptions?
  /// What one job delivers; each signal has its own if `nil`.
  @usableFromInline let batch: DeliveryBatch?
  /// Whether the scheduler may refuse a job for a batch, as it may be closed.
  @usableFromInline let mayBeRefused: Bool
  /// The thread on which the downstream gets its subscription and whose demand waits for that, or 0; only compared with
  /// the reader's own identity.
  @usableFromInline let opener = AtomicWord(0)

  /// The demand that waits. SAFETY (exclusivity): of the opener.
  @safe @exclusivity(unchecked) @usableFromInline final var earlyDemand: Subscribers.Demand?

  /// SAFETY (exclusivity): of who has the role, which a canceller takes too and then keeps, so that no job starts.
  @safe @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?

  @inlinable
  init(
    downstream: Downstream, scheduler: Context, options: Context.SchedulerOptions?, name: StaticString, scale: Int = 1,
    onRequest: @escaping (Link, Subscribers.Demand) -> Void, onCancel: @escaping (Link) -> Void
  ) {
    self.downstream = downstream
    self.scheduler = scheduler
    self.options = options
    batch = options.flatMap { ($0 as? any BatchingSchedulerOptions)?.batch }
    mayBeRefused = batch != nil && Context.mayClose
    droppable = Context.mayDropJobs ? DroppableQueue() : nil
    super.init(name: name, scale: scale, onRequest: onRequest, onCancel: onCancel)
    // The role is that of `deliverSubscription`.
    _ = work.raise()
  }

  /// Passes this subscription on, and gives up the role if nothing is left to do. Once, when the upstream's has come.
  ///
  /// - Returns: Whether jobs have left turns: the caller, which keeps the role, schedules a job that goes on. Then it
  ///   calls `forwardEarlyDemand`.
  @inlinable
  final func deliverSubscription() -> Bool {
    if Context.self != ImmediateScheduler.self { opener.relaxedStore(currentThreadIdentity()) }
    downstream?.receive(subscription: self)
    opener.relaxedStore(0)
    guard work.settle(1) > 0 else { return false }
    if cancelled.hasFired {
      discard()
      return false
    }
    // The end may have been delivered within, on this thread.
    return downstream != nil
  }

  /// Asks the upstream for values: at once, or when the downstream has its subscription.
  @inlinable
  final func ask(_ demand: Subscribers.Demand) {
    if !hasNotingUpstream, opener.relaxedLoad() == currentThreadIdentity() {
      earlyDemand = earlyDemand.map { $0 + demand } ?? demand
    } else {
      forward(demand)
    }
  }

  /// Asks the upstream for what the downstream has asked for as it got its subscription.
  @inlinable
  final func forwardEarlyDemand() {
    guard let demand = earlyDemand else { return }
    earlyDemand = nil
    if !completed.hasFired { forward(demand) }
  }

  /// Whether signals of the upstream are taken: between its subscription and its completion.
  @inlinable @inline(__always)
  final var isListening: Bool { isConnected && !completed.hasFired }

  /// Delivers as many signals as there are turns, on the scheduler. Only for who has the role.
  ///
  /// Without batches it goes on as long as jobs bring turns: these have run then, and what their scheduler runs behind
  /// them waits for this job.
  ///
  /// - Parameters:
  ///   - turns: How many turns there are at least.
  ///   - answer: Takes the demand that the downstream returns.
  /// - Returns: Whether the batch is full: the caller, which keeps the role, schedules a job that goes on, or calls
  ///   `deliverLast` if the scheduler refuses that.
  @inlinable @inline(__always)
  final func deliver(_ turns: Int, _ answer: (Subscribers.Demand) -> Void) -> Bool {
    guard let downstream else { return false }
    guard let batch else {
      var count = turns
      repeat {
        work.begin()
        for _ in 0..<count { if !deliverOne(to: downstream, answer) { return false } }
        count = work.settle(count)
      } while count > 0
      return false
    }
    var bound = BatchBound(batch)
    var count = turns
    while true {
      work.begin()
      var delivered = 0
      let isBurst = count > 1
      repeat {
        guard deliverOne(to: downstream, answer) else { return false }
        delivered += 1
      } while !bound.isReachedByOneMore() && delivered < count
      // A further job would cost far more than this, and each look at the count takes its cache line from the producer.
      if isBurst, !bound.isReached { lingerForBurst() }
      count = work.settle(delivered)
      if count == 0 { return false }
      if bound.isReached { return true }
    }
  }

  /// Delivers what is waiting, but nothing that comes meanwhile: the scheduler was closed and takes no further job.
  /// Only for who has the role.
  @inlinable
  final func deliverLast(_ answer: (Subscribers.Demand) -> Void) {
    guard let downstream else { return }
    work.begin()
    // Acquires what was sent before the scheduler was closed (add in `raise`).
    let count = work.count.acquireLoad()
    for _ in 0..<count { if !deliverOne(to: downstream, answer) { return } }
    giveUp(after: count)
  }

  /// Gives up the role, and leaves what is waiting to whoever cancels: the scheduler is closed, and no job will come
  /// for it. Only for who has the role.
  ///
  /// - Parameter delivered: How many turns were worked off.
  @inlinable
  final func giveUp(after delivered: Int = 0) {
    var count = work.settle(delivered)
    while count > 0 {
      // Who cancels while another one has the role leaves it to that one to let go of all.
      if cancelled.hasFired { return discard() }
      count = work.settle(count)
    }
  }

  /// Delivers signals within a delivery on the same thread, as from a run loop that a sink runs.
  @inlinable
  final func deliverNested(_ turns: Int, _ answer: (Subscribers.Demand) -> Void) {
    guard let downstream else { return }
    for _ in 0..<turns { if !deliverOne(to: downstream, answer) { return } }
    work.settleNested(turns)
  }

  /// Delivers the first signal. A turn without one is void: some schedulers run an action twice.
  ///
  /// - Returns: `false` if the stream is over. The role is kept then, so that no other job starts.
  @inlinable @inline(__always)
  final func deliverOne(to downstream: Downstream, _ answer: (Subscribers.Demand) -> Void) -> Bool {
    guard !cancelled.hasFired else {
      discard()
      return false
    }
    switch next() {
    case .value(let value):
      let more = downstream.receive(value)
      if more != .none { answer(more) }
    case .unanswered(let value): _ = downstream.receive(value)
    case .completion(let completion):
      complete()
      discard()
      deliverKept(completion, to: downstream)
      return false
    case nil: break
    }
    return true
  }

  /// Puts a signal behind those that wait for delivery.
  ///
  /// - Returns: Its number, where its job may be dropped.
  @inlinable @inline(__always) @discardableResult
  final func enqueue(_ signal: Signal) -> Int {
    if let droppable { return droppable.append(signal) }
    queue.enqueue(signal)
    return 0
  }

  /// Takes the first signal out of the queue.
  @inlinable @inline(__always)
  final func next() -> Signal? {
    guard let droppable else { return queue.dequeue() }
    return droppable.popFirst()
  }

  /// Frees the downstream and what waits for it. The role is kept, so that no other job starts.
  @inlinable
  final func discard() {
    downstream = nil
    while next() != nil {}
  }

  /// Leaves out what waits, as the job that was to deliver it was dropped. Only for who has the role.
  @usableFromInline
  package final func leaveOutAll() {
    var count = work.count.acquireLoad()
    repeat {
      for _ in 0..<count {
        guard !cancelled.hasFired else { return discard() }
        _ = next()
      }
      count = work.settle(count)
    } while count > 0
  }

  /// Frees the downstream and what waits for it, or leaves that to who has the role. For the canceller, once.
  @inlinable
  final func close() {
    if work.raise() { discard() }
  }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(of: self) }
}
