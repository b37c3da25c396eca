// A thread of one's own as a scheduler, for streams whose values must not wait for a thread to wake up.

public import Dispatch
public import Weir
public import WeirDispatch

/// Runs actions on one thread, one at a time, in the order in which they were scheduled, and hands them over faster
/// than a dispatch queue: the thread stays awake for a while when it has nothing to do.
///
/// ```swift
/// let loop = EventLoopScheduler()
/// let prices = PassthroughSubject<Double, Never>()
/// let token = prices.receive(on: loop).sink { print($0) }
/// prices.send(1.5)
/// loop.shutDown()                        // returns when the price is printed
/// token.cancel()
/// ```
///
/// The name is that of Rx.NET's scheduler with a thread of its own; SwiftNIO's `EventLoop`, which a program may use as
/// well, is another type.
///
/// **What it costs.** While values follow each other closely the thread spins between them, and takes a whole
/// processor. It learns from the times between values, and sleeps at once where spinning has not paid, where it may run
/// on one processor only, and for a while after other threads have taken its processor away. When nothing comes any
/// more, it sleeps. If it may spin for no time at all, it always sleeps at once.
///
/// **Dates.** Actions with a date run when that has come, in the order of their dates; of one date, in the order in
/// which they were scheduled. What is scheduled while some of them run, by whatever thread, comes behind those that are
/// due with them, whatever its date, and behind a further run of a repetition among them that has the same date. There
/// is no order between them and actions without a date. Runs of a repetition that come due while the thread is busy are
/// left out.
///
/// **Streams.** All operators with a scheduler take this one. `receive(on:)` allocates nothing for a value, and with
/// `options: .batches()` it delivers what is waiting together. What has ended may be freed some microseconds later.
///
/// **Tasks.** ``executor`` runs tasks and actors on the loop's thread, in turn with the actions:
///
/// ```swift
/// let loop = EventLoopScheduler()
/// let answer = await Task(executorPreference: loop.executor) { 6 * 7 }.value
/// print(answer)
/// ```
///
/// **The end.** The thread ends when the scheduler is freed and nothing is left to run: actions whose date has not come
/// are waited for, and repetitions until they are cancelled. It may be freed on its own thread. ``shutDown()`` ends it
/// before: what was scheduled by then without a date is run; actions with a date, also one that has come, and all that
/// is scheduled later, are let go of. So `receive(on:)` delivers what it got before, and keeps what it gets later until
/// it is cancelled, and so what it got while its subscriber was being given its subscription by a thread that is not
/// through with that; in batches, some of what it gets while the last ones are delivered may come as well. To cancel
/// what `subscribe(on:)` has subscribed to there takes no job then: the thread that cancels does it, or one that asks,
/// or gives the subscriber its subscription, meanwhile.
///
/// Without a thread of its own, what waits is run and let go of by ``run()`` and ``poll()`` alone. Values that wait
/// keep their stream, and that keeps the scheduler: call ``shutDown()`` and one of the two before you let go of it.
///
/// Any thread may schedule. The loop belongs to the process that made it: after `fork`, the child has no thread for it.
///
/// - Complexity: Scheduling is amortised O(1); an action with a date takes O(log n) on the loop's thread, of n that
///   wait. Cancelling a repetition is O(1).
public final class EventLoopScheduler: Scheduler, Sendable {
  /// Time is that of dispatch queues: nanoseconds of a clock that never goes back, with arithmetic that saturates.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  /// How an operator delivers what is waiting: if `nil`, each value by an action of its own.
  public typealias SchedulerOptions = DeliveryBatch

  private let runner: EventLoopExecutor
  private let clock: @Sendable () -> Int

  private var loop: EventLoop { runner.loop }

  /// Creates a scheduler.
  ///
  /// - Parameters:
  ///   - name: What the system calls its thread: of a longer name, as many characters as fit into 15 bytes.
  ///   - limit: For how long the thread may spin in one wait at most; a time below zero traps.
  ///   - startsThread: Whether it has a thread of its own; if the system has none to give, this traps. Otherwise a
  ///     thread of yours calls ``run()`` or ``poll()``.
  public convenience init(
    name: String = "weir-event-loop", spinningFor limit: Duration = .microseconds(50), startsThread: Bool = true
  ) {
    self.init(spinningFor: limit) { Int(clamping: DispatchTime.now().uptimeNanoseconds) }
    if startsThread { loop.startThread(named: name) }
  }

  /// Creates a scheduler without a thread.
  ///
  /// - Parameters:
  ///   - limit: For how long a thread that runs it may spin in one wait.
  ///   - clock: Tells the time in nanoseconds.
  package init(spinningFor limit: Duration, clock: @escaping @Sendable () -> Int) {
    precondition(limit >= .zero, "a thread can't spin for less than no time")
    self.clock = clock
    runner = EventLoopExecutor(
      EventLoop(spinningFor: Int(clamping: limit.attoseconds / 1_000_000_000), clock: clock))
  }

  /// Runs tasks and actors on the loop's thread, in turn with its actions. An actor has it in its `unownedExecutor`; on
  /// the loop's thread, `assumeIsolated` of such an actor works in actions, too.
  ///
  /// Keep the scheduler, or this, as long as they run: a task that can't go on since the loop was shut down traps.
  public var executor: any SerialExecutor & TaskExecutor { runner }

  /// Runs the loop on the calling thread until it is shut down: for a scheduler without a thread of its own. Traps if
  /// a thread is running it, the calling one among them. Blocking.
  public func run() { loop.run() }

  /// Runs what is waiting and what is due when it begins, and returns; what that schedules, with a date or without, is
  /// left for the next call. For a scheduler without a thread of its own, within a loop of yours. Traps if a thread is
  /// running it, the calling one among them.
  ///
  /// - Returns: How many actions were run: a repetition that was cancelled before doesn't count.
  @discardableResult
  public func poll() -> Int { loop.poll() }

  /// Ends the loop: what was scheduled before without a date is run, actions with a date, also one that has come, and
  /// all that is scheduled from now on are let go of. Any thread may call this, any number of times.
  ///
  /// It returns when the last action has been run: at once if it is called on the loop's thread, which goes on to the
  /// end behind the action that calls, or if nobody is in ``run()``: the next ``run()`` or ``poll()`` then does what is
  /// left. Blocking.
  public func shutDown() { loop.shutDown() }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(clock()))) }

  /// Zero: the loop runs what is due as soon as it can.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Runs an action on the loop's thread, behind those that were scheduled before; never at once. Any thread may call
  /// this.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) { loop.perform(action) }

  /// Runs an action on the loop's thread after a date; the tolerance is ignored. One at the distant future is let go of
  /// at once. Any thread may call this.
  public func schedule(
    after date: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    loop.perform(at: date.nanoseconds, ScheduledWork(action))
  }

  /// Runs an action on the loop's thread again and again. Runs that come due while the thread is busy are left out.
  /// Intervals below a nanosecond count as one; the tolerance is ignored. Any thread may call this.
  ///
  /// - Returns: An object that ends the repetition when it is cancelled or freed. If that happens on the loop's thread,
  ///   the action does not run again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = ScheduledWork(action)
    let loop = loop
    loop.perform(at: date.nanoseconds, every: max(interval.magnitude, 1), work)
    return AnyCancellable {
      work.drop()
      loop.noteDropped()
    }
  }
}

extension EventLoopScheduler: JobScheduler {
  /// Makes an action that lies in the loop's queue as it is for each value.
  @usableFromInline
  package func makeJob(options _: Any?, _ ticket: JobTicket) -> () -> Void {
    let (loop, job) = (self.loop, EventLoopJob(ticket))
    return { loop.submit(job) }
  }
}

extension EventLoopScheduler: ClosingScheduler {
  /// Runs an action as `schedule(options:_:)` does, or refuses it.
  @usableFromInline
  package func scheduleUnlessClosed(_ action: @escaping () -> Void) -> Bool { loop.perform(action) }
}

extension DispatchQueue.SchedulerTimeType {
  /// The moment as a loop counts it; `Int.max` for the distant future.
  fileprivate var nanoseconds: Int { Int(clamping: dispatchTime.uptimeNanoseconds) }
}
