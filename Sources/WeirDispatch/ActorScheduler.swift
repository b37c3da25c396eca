// Actors as schedulers.

public import Dispatch
public import Weir
import WeirQueues

/// Runs actions on an actor, one at a time, in the order in which they were scheduled; those with a date when that has
/// come, of one date in any order, as Dispatch does.
///
/// ```swift
/// actor Ticker {
///   private var latest = 0.0
///   private var token: AnyCancellable?
///
///   func follow(_ prices: AnyPublisher<Double, Never>) {
///     token = prices
///       .receive(on: ActorScheduler(self))
///       .sink { [weak self] price in self?.assumeIsolated { $0.latest = price } }
///   }
/// }
/// ```
///
/// An action never runs at once, also if it is scheduled on the actor. Between two actions the actor may do other work;
/// where several are waiting, up to 64 run in one go, with the priority of the task that has scheduled the first since
/// none was waiting or running. The order holds among the actions of one scheduler; two schedulers of one actor don't
/// wait for each other.
///
/// The scheduler doesn't keep the actor. Once nobody else keeps it either, actions run one at a time on a thread of
/// Dispatch's: what they share with the actor's `deinit` needs a lock. Actions have no task-local values. For the main
/// actor, `MainActor.shared` is a scheduler itself.
///
/// Any thread may schedule.
///
/// - Complexity: Scheduling is amortised O(1); it makes a task where no action is waiting or running, and allocates
///   nothing else unless more are waiting than ever before, or than some 16,000: more room than that is given back.
public final class ActorScheduler: Scheduler, Sendable {
  /// Time is that of dispatch queues.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  /// How an operator delivers what is waiting: if `nil`, each value by an action of its own.
  public typealias SchedulerOptions = DeliveryBatch

  /// Not the closure itself: as an element it would be wrapped, which allocates.
  private struct Action { let run: () -> Void }

  private final class Line {
    weak var actor: (any Actor)?
    var actions = RingBuffer<Action>()
    /// Whether a task is there that runs the actions.
    var hasTask = false

    init(_ actor: any Actor) { self.actor = actor }

    func next() -> Action? {
      let action = actions.popFirst()
      if action == nil { hasTask = false }
      return action
    }
  }

  /// How many actions one task runs before it gives way to what else the actor has to do.
  private static let turn = 64
  /// Where dates are waited for.
  private static let clock = DispatchQueue(label: "WeirDispatch.ActorScheduler.clock")

  private let line: Lock<Line>
  /// An actor that nobody else has.
  private let own: (any Actor)?

  /// A scheduler that runs actions on an actor, also on the shared instance of a global actor.
  ///
  /// - Parameter actor: The actor, which is not kept.
  public init(_ actor: any Actor) {
    line = Lock(Line(actor))
    own = nil
  }

  /// A scheduler that runs actions on a serial executor.
  ///
  /// - Parameter executor: The executor, which is kept as long as the scheduler.
  public init(executor: any SerialExecutor) {
    let actor = ExecutorActor(executor)
    line = Lock(Line(actor))
    own = actor
  }

  /// The present moment.
  public var now: SchedulerTimeType { Self.clock.now }

  /// Zero: any tolerance is honoured.
  public var minimumTolerance: SchedulerTimeType.Stride { Self.clock.minimumTolerance }

  /// Runs an action on the actor, behind those that were scheduled before. Any thread may call this.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    let needsTask = line.withLock { line in
      line.actions.append(Action(run: action))
      defer { line.hasTask = true }
      return !line.hasTask
    }
    if needsTask { makeTask() }
  }

  /// Runs an action on the actor after a date; the tolerance is ignored, as Dispatch has none for single actions. Any
  /// thread may call this.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = ScheduledWork(action)
    Self.clock.schedule(after: date, tolerance: tolerance) { self.schedule { work.runOnce() } }
  }

  /// Runs an action on the actor again and again. Runs that come due while one is waiting for the actor are left out.
  /// Intervals and tolerances below zero count as zero. Any thread may call this.
  ///
  /// - Returns: An object that ends the repetition when it is cancelled or freed. If that happens on the actor, the
  ///   action does not run again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = ScheduledWork(action)
    let isWaiting = Flag()
    let timer = Self.clock.schedule(after: date, interval: interval, tolerance: tolerance) {
      guard isWaiting.raise() else { return }
      self.schedule {
        isWaiting.lower()
        work.run()
      }
    }
    return AnyCancellable {
      work.drop()
      timer.cancel()
    }
  }

  private func makeTask() {
    guard let actor = line.withLock(\.actor) else {
      return DispatchQueue.global().async { self.runActions() }
    }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // Goes to the actor from this thread, without a detour over the pool.
      Task.immediateDetached(priority: Task.currentPriority) { await self.runActions(on: actor) }
    } else {
      Task.detached(priority: Task.currentPriority) { await self.runActions(on: actor) }
    }
  }

  private func runActions(on _: isolated any Actor) { runActions() }

  /// Runs actions, and gives way before it has run too many. For the one task.
  private func runActions() {
    for _ in 0..<Self.turn {
      guard let action = line.withLock({ $0.next() }) else { return }
      action.run()
    }
    makeTask()
  }
}

extension ActorScheduler: JobScheduler {
  /// Makes an action that is scheduled as it is for each value.
  @usableFromInline
  package func makeJob(options _: Any?, _ ticket: JobTicket) -> () -> Void {
    let action = { ticket.redeem() }
    return {
      ticket.issue()
      self.schedule(options: nil, action)
    }
  }
}

/// A flag that any thread raises and lowers.
private final class Flag: Sendable {
  private let isUp = Lock(false)

  /// - Returns: Whether it was down before.
  func raise() -> Bool {
    isUp.withLock { isUp in
      defer { isUp = true }
      return !isUp
    }
  }

  func lower() { isUp.withLock { $0 = false } }
}
