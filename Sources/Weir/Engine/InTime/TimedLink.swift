// A subscription fed by an upstream and by timers: the engine of debounce, throttle, timeout and collect by time.

import WeirQueues

/// What an operator does with values and with the passing of time.
///
/// What it keeps is changed under the link's lock, in short steps that run no code of the user's but for comparing the
/// scheduler's times: such a step hands what is to be dropped, cancelled or scheduled out to its caller. What is to be
/// delivered is put into the link's queue within the step, so that the order of deliveries is the order of the steps;
/// it is delivered on the scheduler afterwards.
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
/// that follow each other closely only write down when, and no more than two timers are started in an interval: the
/// next one ticks an interval behind a value that came while this one ran.
@usableFromInline
package struct TimedState<Kept, Time: Strideable> {
  @usableFromInline var kept: Kept
  /// The number of the newest timer. Timers with other numbers are over, whether their scheduler heeds that or not.
  @usableFromInline var generation = 0
  /// The newest timer that its scheduler has returned, unless it was stopped.
  @usableFromInline var timer: any Cancellable = NoTimer()
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
  mutating func tick(afterInterval interval: TimerInterval<Time>, mayPutOff: Bool) -> TimerStart<Time>? {
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

  /// Makes room for a new timer. The one before is replaced when the new one's scheduler has returned it.
  @inlinable
  mutating func renew(at date: Time) -> TimerStart<Time> {
    generation += 1
    timerDate = date
    return TimerStart(generation: generation, date: date)
  }

  /// Makes the newest timer an old one.
  ///
  /// - Parameter former: Becomes that timer, to be cancelled outside the lock.
  @inlinable
  mutating func stop(handingOver former: inout any Cancellable) {
    generation += 1
    timerDate = nil
    swap(&former, &timer)
  }

  /// Notes that the stream is over.
  ///
  /// - Returns: What was kept, to be let go of outside the lock.
  @inlinable
  mutating func end(keeping nothing: Kept) -> Kept {
    isOver = true
    var former = nothing
    swap(&former, &kept)
    return former
  }
}

/// What stands in a timer's place where there is none.
///
/// With an optional in its place each move would go through the value witnesses of a type that is put together at run
/// time, which takes some hundred instructions.
@frozen
@usableFromInline
package struct NoTimer: Cancellable {
  @inlinable
  init() {}

  @inlinable
  package func cancel() {}
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

/// A timer's number and first tick.
@frozen
@usableFromInline
package struct TimerStart<Time> {
  @usableFromInline let generation: Int
  @usableFromInline let date: Time

  @inlinable
  init(generation: Int, date: Time) {
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
  @usableFromInline typealias Start = TimerStart<Policy.Context.SchedulerTimeType>

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
    if deliverSubscription() { schedule(mayBeRefused: Policy.Context.mayClose) }
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
    let kept = stopTimer { state in state.end(keeping: nothing) }
    withExtendedLifetime(kept) {}
    if completed.hasFired, !Policy.cancelsEndedUpstream { complete() } else { disconnect() }
    close()
  }

  // MARK: What policies use

  /// Changes the state, alone; runs no code of the user's but for comparing times.
  @inlinable @inline(__always)
  func withState<Result>(_ body: (inout State) -> Result) -> Result { guarded.withLock(body) }

  /// Changes the state, alone, and if the change was made stops the newest timer in the same step.
  ///
  /// - Parameter change: Returns `nil` if it has changed nothing: the timer goes on then.
  /// - Returns: What the change returned.
  @inlinable @inline(__always) @discardableResult
  func stopTimer<Result>(_ change: (inout State) -> Result?) -> Result? {
    var timer: any Cancellable = NoTimer()
    let result = withState { state -> Result? in
      let result = change(&state)
      if result != nil { state.stop(handingOver: &timer) }
      return result
    }
    timer.cancel()
    return result
  }

  /// Puts a signal behind those that wait for delivery. Only within `withState`: the queue has one producer at a time.
  ///
  /// - Returns: Its number, where its job may be dropped.
  @inlinable @inline(__always) @discardableResult
  func put(_ signal: Signal) -> Int { enqueue(signal) }

  /// Delivers signals that were put, here: the caller runs on the scheduler.
  @inlinable
  func deliverHere(_ count: Int) {
    if count > 0 { take(turns: count) }
  }

  /// Delivers signals that were put, in a job of their own or in one that delivers a batch.
  ///
  /// - Parameters:
  ///   - count: How many, put one behind the other.
  ///   - number: What `put` has returned for the first one.
  @inlinable
  func deliverLater(_ count: Int = 1, from number: Int) {
    if batch == nil {
      if droppable != nil {
        scheduleDroppableJob(number..<number + count)
      } else if count == 1 {
        // A closure that holds the link alone needs no memory of its own.
        scheduler.schedule(options: options) { self.take(turns: 1) }
      } else {
        scheduler.schedule(options: options) { self.take(turns: count) }
      }
    } else if work.raise(count) {
      schedule(mayBeRefused: mayBeRefused)
    }
  }

  /// Schedules a job that has the role, which is given up if the scheduler is closed.
  @inlinable
  func schedule(mayBeRefused: Bool) { if !scheduleJob(mayBeRefused: mayBeRefused) { giveUp() } }

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
    let isFull = deliver(count) { policy.answer($0, self) }
    if isFull, !scheduleJob(mayBeRefused: mayBeRefused) { deliverLast { policy.answer($0, self) } }
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
  func wantTick(after interval: Interval, _ state: inout State) -> Start? {
    state.tick(afterInterval: interval, mayPutOff: droppable == nil)
  }

  /// Has a timer tick when an interval is over, unless the stream is.
  @inlinable
  func startInterval() {
    let interval = nextInterval
    let timer = withState { state -> Start? in state.isOver ? nil : wantTick(after: interval, &state) }
    if let timer { start(timer) }
  }

  /// Starts a timer that ticks at an interval until its generation is over, and cancels the one before.
  ///
  /// The timer holds the link; it is let go of when the stream ends.
  @inlinable
  func start(_ start: Start) {
    let generation = start.generation
    starter.relaxedStore(currentThreadIdentity())
    var timer = scheduler.schedule(
      after: start.date, interval: policy.interval, tolerance: scheduler.minimumTolerance,
      options: policy.timerOptions
    ) { self.tick(generation) }
    starter.relaxedStore(0)
    withState { state in
      if state.generation == generation { swap(&timer, &state.timer) }
    }
    // The one before; this one if it is over already.
    timer.cancel()
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
    let timer = withState { state -> Start? in state.newDate(ofTimer: generation).map { state.renew(at: $0) } }
    if let timer { start(timer) }
    return true
  }

  /// Traps where Combine traps: the scheduler fires timers before it returns them, so it has no time.
  @inlinable
  func requireTime() {
    let isStarting = starter.relaxedLoad() == currentThreadIdentity()
    precondition(
      !isStarting,
      "API violation: \(name) needs a scheduler that does not run its actions at once")
  }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(of: self, children: policy.children(self)) }
}
