// A subscription whose demand and cancellation travel to the upstream on a scheduler: the engine of subscribe(on:).

import WeirQueues

/// Asks and cancels an upstream on a scheduler.
///
/// What the downstream wants goes into a queue, from any thread, and for each command a job is scheduled that does the
/// first one there. Where jobs run at the same time, one does the commands of all (`WorkInProgress`): the order holds
/// on concurrent schedulers too. A command from within a command is done behind it, on schedulers that run jobs at once
/// as well.
///
/// While the downstream gets its subscription, the thread that brings it has the role: values that another thread asked
/// for would come too early. What jobs of other threads leave until then is done by a further job. On schedulers that
/// run jobs at once, commands from within are done within.
@usableFromInline
package final class RemoteLink<Context: Scheduler>: UpstreamLink, JobOwner {
  @frozen
  @usableFromInline
  package enum Command {
    case request(Subscribers.Demand)
    case cancel
  }

  /// Commands in the order in which they came.
  @usableFromInline
  struct Commands {
    @usableFromInline var all: [Command] = []
    /// How many of them have been taken: none, or fewer than half.
    @usableFromInline var taken = 0

    @inlinable
    init() {}

    @inlinable
    mutating func append(_ command: Command) { all.append(command) }

    @inlinable
    mutating func popFirst() -> Command? {
      guard taken < all.count else { return nil }
      let first = all[taken]
      taken += 1
      // No more are moved than were taken since the last time.
      if taken * 2 >= all.count {
        all.removeFirst(taken)
        taken = 0
      }
      return first
    }
  }

  @usableFromInline let commands = Lock(Commands())
  /// Where the commands wait instead if the scheduler may drop jobs.
  @usableFromInline package let droppable: DroppableQueue<Command>?
  @usableFromInline let work = WorkInProgress()
  /// The thread on which the downstream gets its subscription, or 0; only compared with the reader's own identity.
  @usableFromInline let opener = AtomicWord(0)
  @usableFromInline let cancelled = OneShot()
  @usableFromInline package let scheduler: Context
  @usableFromInline package let options: Context.SchedulerOptions?
  /// Whether the scheduler may refuse a job, as it may be closed.
  @usableFromInline let mayClose: Bool

  @inlinable
  init(scheduler: Context, options: Context.SchedulerOptions?, name: StaticString) {
    self.scheduler = scheduler
    self.options = options
    droppable = Context.mayDropJobs ? DroppableQueue() : nil
    mayClose = Context.mayClose
    super.init(
      name: name,
      onRequest: { link, demand in link.downcast(to: RemoteLink.self).ask(demand) },
      onCancel: { link in link.downcast(to: RemoteLink.self).end() })
  }

  /// Whether this thread runs a job, further up its stack: it is where commands are done.
  @inlinable
  var isRunningHere: Bool { work.isWorkingHere }

  /// The downstream is about to get its subscription.
  @inlinable
  func begin() {
    // Nobody has had this link, so that no command has a job.
    _ = work.raise()
    opener.relaxedStore(currentThreadIdentity())
  }

  /// The downstream has its subscription.
  @inlinable
  func open() {
    opener.relaxedStore(0)
    // The job gets the role. If the scheduler is closed, nothing is asked for any more, but a cancellation is heeded.
    guard work.settle(1) > 0, !scheduleJob(mayBeRefused: mayClose) else { return }
    leaveOutAll()
    if cancelled.hasFired { disconnect() }
  }

  /// A request whose job is refused has taken the place of a cancellation that came meanwhile, and whose job was not.
  @inlinable
  func ask(_ demand: Subscribers.Demand) {
    guard isConnected, !cancelled.hasFired else { return }
    if !send(.request(demand), mayBeRefused: mayClose), cancelled.hasFired { disconnect() }
  }

  /// Within the job the upstream is cancelled at once: a request that is still being served may never end otherwise. So
  /// it is where the scheduler is closed, as no job would come.
  @inlinable
  func end() {
    guard isConnected, cancelled.fire() else { return }
    if isRunningHere || !send(.cancel, mayBeRefused: mayClose) { disconnect() }
  }

  /// Schedules a command.
  ///
  /// - Returns: `false` if its job may be refused, and was, as the scheduler is closed.
  @inlinable
  func send(_ command: Command, mayBeRefused: Bool) -> Bool {
    if let droppable {
      let number = droppable.append(command)
      scheduleDroppableJob(number..<number + 1)
      return true
    }
    commands.withLock { $0.append(command) }
    if mayBeRefused { return scheduler.scheduleUnlessClosed(options: options) { self.takeTurn() } }
    scheduler.schedule(options: options) { self.takeTurn() }
    return true
  }

  /// Leaves out what waits, as the job that was to do it was dropped. Only for who has the role.
  @usableFromInline
  package func leaveOutAll() {
    var count = work.count.acquireLoad()
    repeat {
      for _ in 0..<count { _ = next() }
      count = work.settle(count)
    } while count > 0
  }

  /// Takes the first command.
  @inlinable
  func next() -> Command? {
    guard let droppable else { return commands.withLock { $0.popFirst() } }
    return droppable.popFirst()
  }

  @inlinable
  package func runJob(_ pieces: Range<Int>) {
    if pieces.isEmpty { drain(work.count.acquireLoad()) } else { takeTurn() }
  }

  /// Does one command, or leaves that to who is at it: a job that was scheduled for one.
  @inlinable
  func takeTurn() {
    if work.raise() {
      drain(1)
    } else if opener.relaxedLoad() == currentThreadIdentity(), !isRunningHere {
      // One turn is that of the subscription, which keeps the role.
      drain(1, keeping: 1)
    }
  }

  /// Does commands until there are no turns left, but for those that are kept. Only for who has the role.
  @inlinable
  func drain(_ turns: Int, keeping kept: Int = 0) {
    var count = turns
    repeat {
      work.begin()
      for _ in 0..<count {
        switch next() {
        case .request(let demand): forward(demand)
        case .cancel: disconnect()
        case nil: break
        }
      }
      count = work.settle(count) - kept
    } while count > 0
  }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(of: self) }
}

/// Passes values on until the downstream cancels, which the upstream learns later.
@usableFromInline
package struct RemotePolicy<Context: Scheduler, Value>: LinkedPolicy {
  @usableFromInline package typealias Input = Value
  @usableFromInline package typealias Output = Value

  @usableFromInline let link: RemoteLink<Context>

  @inlinable
  init(_ link: RemoteLink<Context>) { self.link = link }

  @inlinable package var isCut: Bool { link.cancelled.hasFired }
  @inlinable package func begin() { link.begin() }
  @inlinable package func open() { link.open() }

  @inlinable
  package func refuse() {
    if link.isRunningHere { link.disconnect() }
  }

  @inlinable
  package func relay<Downstream: Subscriber>(
    _ input: Value, _ link: UpstreamLink, to downstream: Downstream
  ) -> Subscribers.Demand where Downstream.Input == Value { downstream.receive(input) }
}
