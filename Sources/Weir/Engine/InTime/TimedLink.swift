// A subscription fed by an upstream and by timers: the engine of debounce, throttle, timeout and collect by time.

import WeirQueues

/// What an operator does with values and with the passing of time.
///
/// What it keeps is changed under the link's lock, in short steps that run no code of the user's but for comparing the
/// scheduler's times: such a step hands what is to be dropped, cancelled or scheduled out to its caller. What is to be
/// delivered is put into the link's queue within the step, so that the order of deliveries is the order of the steps; it
/// is delivered on the scheduler afterwards.
@usableFromInline
package protocol TimedPolicy {
  /// Whose time it is.
  associatedtype Context: Scheduler
  /// The kind of values that come in.
  associatedtype Input
  /// The kind of values that go out.
  associatedtype Output
  /// The kind of error.
  associatedtype Failure: Error
  /// What is kept between values and timers.
  associatedtype Kept

  /// The operator's name, as Combine shows it.
  static var name: StaticString { get }
  /// Whether an upstream that has completed is cancelled too, while the completion is on its way.
  static var cancelsEndedUpstream: Bool { get }

  /// Whose time it is, and where values are delivered.
  var scheduler: Context { get }
  /// The time from when a timer is wanted to its first tick, and from each tick to the next.
  var interval: Context.SchedulerTimeType.Stride { get }
  /// Options of the timers.
  var timerOptions: Context.SchedulerOptions? { get }
  /// Options of the jobs that deliver what no timer delivers.
  var jobOptions: Context.SchedulerOptions? { get }
  /// Values of the upstream for one of the downstream.
  var scale: Int { get }
  /// What is kept after the end, and at first if nothing else is said.
  var nothing: Kept { get }

  /// The upstream's subscription has come; the downstream does not have its own yet.
  func begin<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure
  /// The downstream has its subscription.
  func open<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure
  /// The downstream asks for values.
  func request<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure
  /// A value has come.
  func take<Downstream: Subscriber>(_ input: Input, _ link: TimedLink<Self, Downstream>) -> Subscribers.Demand
  where Downstream.Input == Output, Downstream.Failure == Failure
  /// The upstream has completed, for the first time.
  func finish<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, _ link: TimedLink<Self, Downstream>
  ) where Downstream.Input == Output, Downstream.Failure == Failure
  /// A timer fires, on the scheduler; it may be an old one.
  func tick<Downstream: Subscriber>(_ generation: Int, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure
  /// The downstream returned demand for a value.
  func answer<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure
  /// What mirrors show.
  func children<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>) -> [Mirror.Child]
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension TimedPolicy {
  @inlinable package static var cancelsEndedUpstream: Bool { false }
  @inlinable package var scale: Int { 1 }

  @inlinable
  package func begin<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {}

  @inlinable
  package func open<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {}

  @usableFromInline
  package func children<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>) -> [Mirror.Child]
  where Downstream.Input == Output, Downstream.Failure == Failure { [] }
}

/// A policy that asks the upstream for everything and drops or keeps what the downstream has not asked for.
@usableFromInline
package protocol LedgerPolicy: TimedPolicy {}

extension LedgerPolicy {
  @inlinable
  package func open<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure { link.forward(.unlimited) }

  @inlinable
  package func request<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure { link.ledger.add(demand) }

  @inlinable
  package func answer<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure { link.ledger.add(demand) }
}

/// What a timed link's lock guards: what the policy keeps, and which timer counts.
///
/// A timer that is to tick later than it was started for is left alone, and starts the next one when it ticks: values
/// that follow each other closely only write down when, and no more than one timer is started in an interval.
@usableFromInline
package struct TimedState<Kept, Time: Strideable> {
  @usableFromInline var kept: Kept
  /// The number of the newest timer. Timers with other numbers are over, whether their scheduler heeds that or not.
  @usableFromInline var generation = 0
  /// The newest timer, from when its scheduler has returned it.
  @usableFromInline var timer: (any Cancellable)?
  /// When the newest timer ticks for the first time; `nil` if it is over.
  @usableFromInline var timerDate: Time?
  /// When a tick is wanted: later than the newest timer's if it was put off.
  @usableFromInline var dueDate: Time?
  /// Whether the stream was cancelled or has timed out.
  @usableFromInline var isOver = false

  @inlinable
  init(kept: Kept) { self.kept = kept }

  /// Has a timer tick at the end of an interval, and not before.
  ///
  /// A timer that should have ticked before the interval began is replaced: it is late, or its scheduler lost it.
  ///
  /// - Parameter mayPutOff: Whether the newest timer may be put off.
  /// - Returns: The timer to start, outside the lock; `nil` if the newest one was put off.
  @inlinable
  mutating func tick(afterInterval interval: TimerInterval<Time>, mayPutOff: Bool) -> TimerChange<Time>? {
    dueDate = interval.end
    if mayPutOff, let timerDate, interval.start <= timerDate, timerDate <= interval.end { return nil }
    return renew(at: interval.end)
  }

  /// The date to which a timer was put off; `nil` if it wasn't, or is over.
  @inlinable
  func newDate(ofTimer generation: Int) -> Time? {
    guard generation == self.generation, let timerDate, let dueDate, timerDate < dueDate else { return nil }
    return dueDate
  }

  /// Makes room for a new timer.
  @inlinable
  mutating func renew(at date: Time) -> TimerChange<Time> {
    let former = stop()
    timerDate = date
    return TimerChange(former: former, generation: generation, date: date)
  }

  /// Makes the newest timer an old one.
  ///
  /// - Returns: The timer, to be cancelled outside the lock.
  @inlinable
  mutating func stop() -> (any Cancellable)? {
    generation += 1
    timerDate = nil
    let former = timer
    timer = nil
    return former
  }
}

/// From when a timer is wanted to when it is to tick.
@frozen
@usableFromInline
package struct TimerInterval<Time> {
  @usableFromInline let start: Time
  @usableFromInline let end: Time

  @inlinable
  init(start: Time, end: Time) {
    self.start = start
    self.end = end
  }
}

/// A timer's number and first tick, and the timer that it replaces.
@frozen
@usableFromInline
package struct TimerChange<Time> {
  @usableFromInline let former: (any Cancellable)?
  @usableFromInline let generation: Int
  @usableFromInline let date: Time

  @inlinable
  init(former: (any Cancellable)?, generation: Int, date: Time) {
    self.former = former
    self.generation = generation
    self.date = date
  }
}

/// Subscriber to an upstream and subscription of a downstream that lives on a scheduler with time.
///
/// Upstream and timers come from different threads. Neither delivers behind a lock or a gate: a gate would have values
/// delivered by whichever thread holds it, where they belong on the scheduler, and would keep a value waiting while the
/// one before is delivered, where it should restart a timer. They change the state and fill the mailbox instead.
@safe
@usableFromInline
package final class TimedLink<Policy: TimedPolicy, Downstream: Subscriber>: MailboxLink<Policy.Context, Downstream>,
  Subscriber, JobOwner
where Downstream.Input == Policy.Output, Downstream.Failure == Policy.Failure {
  @usableFromInline package typealias Input = Policy.Input
  @usableFromInline typealias State = TimedState<Policy.Kept, Policy.Context.SchedulerTimeType>
  @usableFromInline typealias Interval = TimerInterval<Policy.Context.SchedulerTimeType>
  @usableFromInline typealias Change = TimerChange<Policy.Context.SchedulerTimeType>

  @usableFromInline let policy: Policy
  @usableFromInline let ledger = DemandLedger()
  @usableFromInline let guarded: Lock<State>
  /// The thread that is starting a timer, to notice schedulers that fire it at once.
  @usableFromInline let starter = AtomicWord(0)

  @inlinable
  init(_ policy: Policy, keeping kept: Policy.Kept? = nil, downstream: Downstream) {
    self.policy = policy
    guarded = Lock(State(kept: kept ?? policy.nothing))
    super.init(
      downstream: downstream, scheduler: policy.scheduler, options: policy.jobOptions, name: Policy.name,
      scale: policy.scale,
      onRequest: { link, demand in
        let link = link.downcast(to: TimedLink.self)
        link.policy.request(demand, link)
      },
      onCancel: { link in link.downcast(to: TimedLink.self).end() })
  }

  // MARK: Signals, from any thread

  @inlinable
  package func receive(subscription: any Subscription) {
    guard connect(subscription) else { return }
    // Timers may fire from now on, on this thread, too: all that they deliver waits until the downstream has its
    // subscription.
    policy.begin(self)
    if deliverSubscription() { schedule() }
    forwardEarlyDemand()
    policy.open(self)
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand { isListening ? policy.take(input, self) : .none }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard isConnected, completed.fire() else { return }
    keepCheckpoints(of: completion)
    policy.finish(completion, self)
  }

  @inlinable
  func end() {
    guard cancelled.fire() else { return }
    let nothing = policy.nothing
    let (timer, kept) = withState { state in
      state.isOver = true
      let kept = state.kept
      state.kept = nothing
      return (state.stop(), kept)
    }
    timer?.cancel()
    withExtendedLifetime(kept) {}
    if completed.hasFired, !Policy.cancelsEndedUpstream { complete() } else { disconnect() }
    close()
  }

  // MARK: What policies use

  /// Changes the state, alone; runs no code of the user's but for comparing times.
  @inlinable @inline(__always)
  func withState<Result>(_ body: (inout State) -> Result) -> Result { guarded.withLock(body) }

  /// Puts a signal behind those that wait for delivery. Only within `withState`: the queue has one producer at a time.
  @inlinable @inline(__always)
  func put(_ signal: Signal) { queue.enqueue(signal) }

  /// Delivers signals that were put, here: the caller runs on the scheduler.
  @inlinable
  func deliverHere(_ count: Int) {
    if count > 0 { take(turns: count) }
  }

  /// Delivers signals that were put, in a job of their own or in one that delivers a batch.
  @inlinable
  func deliverLater(_ count: Int) {
    if batch == nil {
      if dropped != nil {
        // If it is dropped, the first signals that are still there are left out.
        let job = DroppableJob(self, 0..<count)
        scheduler.schedule(options: options) { job.run() }
      } else if count == 1 {
        // A closure that holds the link alone needs no memory of its own.
        scheduler.schedule(options: options) { self.take(turns: 1) }
      } else {
        scheduler.schedule(options: options) { self.take(turns: count) }
      }
    } else if work.raise(count) {
      schedule()
    }
  }

  /// Schedules a job that has the role.
  @inlinable
  func schedule() { scheduleJob(on: scheduler, options, mayBeDropped: dropped != nil) }

  @inlinable
  package func runJob(_ pieces: Range<Int>) {
    if pieces.isEmpty { drain(work.count.acquireLoad()) } else { take(turns: pieces.count) }
  }

  /// Delivers signals, or leaves that to who is at it: a job that was scheduled for so many.
  @inlinable
  func take(turns count: Int) {
    switch work.bring(count) {
    case .idle: drain(count)
    case .nested: deliverNested(count) { policy.answer($0, self) }
    case .busy: break
    }
  }

  @inlinable
  func drain(_ count: Int) {
    if deliver(count, { policy.answer($0, self) }) { schedule() }
  }

  /// The interval that begins now.
  @inlinable @inline(__always)
  var nextInterval: Interval {
    let now = scheduler.now
    return Interval(start: now, end: now.advanced(by: policy.interval))
  }

  /// Has a timer tick at the end of an interval, and not before. Only within `withState`.
  ///
  /// A scheduler that may let go of a timer gets a new one each time.
  ///
  /// - Returns: The timer to start, outside the lock, if there is one.
  @inlinable @inline(__always)
  func wantTick(after interval: Interval, _ state: inout State) -> Change? {
    state.tick(afterInterval: interval, mayPutOff: dropped == nil)
  }

  /// Has a timer tick when an interval is over, unless the stream is.
  @inlinable
  func startInterval() {
    let interval = nextInterval
    let change = withState { state -> Change? in state.isOver ? nil : wantTick(after: interval, &state) }
    if let change { start(change) }
  }

  /// Starts a timer that ticks at an interval until its generation is over.
  ///
  /// The timer holds the link; it is let go of when the stream ends.
  @inlinable
  func start(_ change: Change) {
    change.former?.cancel()
    let generation = change.generation
    starter.relaxedStore(currentThreadIdentity())
    let timer = scheduler.schedule(
      after: change.date, interval: policy.interval, tolerance: scheduler.minimumTolerance,
      options: policy.timerOptions
    ) { self.tick(generation) }
    starter.relaxedStore(0)
    let isCurrent = withState { state in
      guard state.generation == generation else { return false }
      state.timer = timer
      return true
    }
    if !isCurrent { timer.cancel() }
  }

  /// Tells the policy, unless the timer was put off.
  @inlinable
  func tick(_ generation: Int) {
    if !startNext(afterTimer: generation) { policy.tick(generation, self) }
  }

  /// Starts the next timer in place of one that was put off.
  ///
  /// - Returns: `false` if it wasn't, or if it ticks so late that the new date has come.
  @inlinable
  func startNext(afterTimer generation: Int) -> Bool {
    guard let date = withState({ $0.newDate(ofTimer: generation) }), scheduler.now < date else { return false }
    let change = withState { state -> Change? in state.newDate(ofTimer: generation).map { state.renew(at: $0) } }
    if let change { start(change) }
    return true
  }

  /// Traps where Combine traps: the scheduler fires timers before it returns them, so it has no time.
  @inlinable
  func requireTime() {
    precondition(
      starter.relaxedLoad() != currentThreadIdentity(),
      "API violation: \(name) needs a scheduler that does not run its actions at once")
  }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(of: self, children: policy.children(self)) }
}
