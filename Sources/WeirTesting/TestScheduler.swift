// A scheduler whose clock the test moves. The model is TestScheduler of pointfreeco/combine-schedulers.

public import Weir
import WeirQueues

/// A test scheduler with the time and the options of another scheduler: `TestSchedulerOf<DispatchQueue>`.
public typealias TestSchedulerOf<Model: Scheduler> = TestScheduler<Model.SchedulerTimeType, Model.SchedulerOptions>

/// Keeps what is scheduled until the test moves the clock there.
///
///     let scheduler = TestScheduler()
///     let token = subject.debounce(for: .milliseconds(300), scheduler: scheduler).sink { print($0) }
///     subject.send("a")
///     scheduler.advance(by: .milliseconds(300))  // prints: a
///
/// Actions run in the order of their dates, and in the order in which they were scheduled where dates are the same. The
/// clock stands at an action's date when it begins, or where it stood if that date was past; it never goes back. What
/// an action schedules up to the moment to which the clock is being moved runs as well. Nothing runs by itself, not
/// even what is scheduled for now.
///
/// Any thread may schedule and cancel. Actions run on the thread that moves the clock, with no lock held; they may move
/// it themselves. Where several threads move the clock at once, actions run at once, too, in any order, and when one
/// begins, the clock may stand further on already.
///
/// To schedule an action and to run it takes O(log n) in the number of those that wait, and so does to cancel it, on
/// average: what was cancelled leaves its place in the order when its date comes, or with others that were. A run of a
/// repetition takes as many steps besides as the longest stride fits into the time since its first date.
///
/// What is neither run nor cancelled is kept, with all that it holds. Actions of operators that nobody can cancel hold
/// the scheduler itself, and so keep it alive until they run: those of `delay`, `receive(on:)` and `subscribe(on:)`,
/// and of a value or an end that waits in `timeout`, `debounce` or `collect` when its stream is cancelled.
///
/// The commonly copied version has the real clock for `now`, runs what is scheduled for now at once, and orders,
/// repeats and cancels nothing.
public final class TestScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// When an action runs: at its date, behind those of that date that were scheduled before. Void if the action waits
  /// no more.
  private struct Turn: Comparable {
    let date: SchedulerTimeType
    let sequence: Int

    static func < (lhs: Turn, rhs: Turn) -> Bool {
      if lhs.date < rhs.date { return true }
      // Not by equality: a moment that is infinitely far away may differ from itself.
      return !(rhs.date < lhs.date) && lhs.sequence < rhs.sequence
    }
  }

  private struct State {
    /// Where the clock stood at first.
    let beginning: SchedulerTimeType
    var now: SchedulerTimeType
    var sequence = 0
    private var turns = Heap<Turn>()
    /// The actions that wait, by their place in the sequence; that of one that can be cancelled names it.
    private(set) var actions: [Int: () -> Void] = [:]
    /// The actions that can be cancelled, and whether they have run before, which only repeated ones have. One that is
    /// begun or finished does not wait.
    var alive: [Int: Bool] = [:]
    /// How many actions wait, but for repeated ones that have run.
    private var newCount = 0

    init(beginning: SchedulerTimeType) {
      self.beginning = beginning
      now = beginning
    }

    mutating func nextSequence() -> Int {
      sequence += 1
      return sequence
    }

    mutating func insert(_ date: SchedulerTimeType, _ sequence: Int, _ action: @escaping () -> Void) {
      turns.insert(Turn(date: date, sequence: sequence))
      actions[sequence] = action
      if alive[sequence] != true { newCount += 1 }
    }

    /// Takes out an action that was cancelled. Its turn stays until it comes, or more than half of all are void.
    mutating func remove(_ identity: Int) -> (() -> Void)? {
      let removed = takeOut(identity)
      alive[identity] = nil
      if turns.count > 2 * actions.count + 16 {
        let actions = actions
        turns.keep { actions[$0.sequence] != nil }
      }
      return removed
    }

    /// Takes an action out that waits.
    private mutating func takeOut(_ sequence: Int) -> (() -> Void)? {
      let action = actions.removeValue(forKey: sequence)
      if action != nil, alive[sequence] != true { newCount -= 1 }
      return action
    }

    /// The date of the next action.
    mutating func firstDate() -> SchedulerTimeType? {
      while let turn = turns.least, actions[turn.sequence] == nil { turns.popLeast() }
      return turns.least?.date
    }

    /// Takes the next action, if it is due by then, and moves the clock to its date.
    mutating func takeFirst(upTo instant: SchedulerTimeType) -> (() -> Void)? {
      guard let date = firstDate(), date <= instant, let turn = turns.popLeast() else { return nil }
      now = max(now, date)
      return takeOut(turn.sequence)
    }

    /// The turns of repeated actions that have run before, in their order.
    var repeatedTurns: [Turn] {
      turns.elements.filter { actions[$0.sequence] != nil && alive[$0.sequence] == true }.sorted()
    }

    /// The date of the next action, if one waits that is not repeated, or has not run, as far as can be told: operators
    /// repeat their timers, and cancel them when they run; or if one of some turns is still to come.
    ///
    /// - Parameter repeated: The turns, in their order; those at the end that are past or cancelled are taken out.
    mutating func firstDateBeforeRest(_ repeated: inout [Turn]) -> SchedulerTimeType? {
      while let turn = repeated.last, actions[turn.sequence] == nil || !(now < turn.date) { repeated.removeLast() }
      return newCount > 0 || !repeated.isEmpty ? firstDate() : nil
    }
  }

  private let state: Lock<State>
  let wokenSleepers = WokenSleepers()
  private let busyActors = BusyActors()

  /// Creates a scheduler.
  ///
  /// - Parameter now: Where the clock stands at first; where moments are numbers, it has to be a finite one. As a
  ///   queue's time it must not be 0, which stands for the real present.
  public init(now: SchedulerTimeType) {
    Self.requireOrder(now, now)
    state = Lock(State(beginning: now))
  }

  /// Traps at a moment that is not a number, and so has no order among the others.
  private func requireNumber(_ instant: SchedulerTimeType) {
    // One infinitely far away may differ from itself: the distance, by which `Strideable` compares, is no number then.
    Self.requireOrder(instant, state.withLock { $0.beginning })
  }

  private static func requireOrder(_ instant: SchedulerTimeType, _ other: SchedulerTimeType) {
    precondition(areInOrder(instant, other), "the moment of a clock or an action has to be a number")
  }

  private static func areInOrder(_ instant: SchedulerTimeType, _ other: SchedulerTimeType) -> Bool {
    instant < other || instant == other || instant > other
  }

  /// Where the clock stands.
  public var now: SchedulerTimeType { state.withLock { $0.now } }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// How many actions wait; a repeated one counts once.
  public var scheduledCount: Int { state.withLock { $0.actions.count } }

  /// Moves the clock, and runs what is due up to then.
  ///
  /// - Parameter duration: How far from where the clock stands as this is called; without it only what is due now runs.
  ///   Traps where lengths of time are numbers and this one is none.
  public func advance(by duration: SchedulerTimeType.Stride = .zero) { advance(to: moment(after: duration)) }

  /// The moment that is a length of time after the clock's.
  private func moment(after duration: SchedulerTimeType.Stride) -> SchedulerTimeType {
    let (now, beginning) = state.withLock { ($0.now, $0.beginning) }
    let moment = now.advanced(by: duration)
    // A clock that stands infinitely far away would come to no number by as long a step back.
    return duration < .zero && !Self.areInOrder(moment, beginning) ? beginning.advanced(by: duration) : moment
  }

  /// Moves the clock by a number of seconds, and runs what is due up to then.
  ///
  /// - Parameter seconds: How far from where the clock stands as this is called; it has to be a number. Infinity moves
  ///   the clock as far as it goes, or by a thousand of the longest strides where that is less.
  @_disfavoredOverload
  public func advance(by seconds: Double) { advance(to: moment(afterSeconds: seconds)) }

  /// The moment that is a number of seconds after the clock's.
  private func moment(afterSeconds seconds: Double) -> SchedulerTimeType {
    precondition(!seconds.isNaN, "a length of time has to be a number")
    let stride = SchedulerTimeType.Stride.seconds(seconds)
    var end = moment(after: stride)
    if seconds == .infinity {
      // The longest time may be less than what lies between the clock and the last moment.
      for _ in 1..<1_000 {
        let later = end.advanced(by: stride)
        guard later > end else { break }
        end = later
      }
    }
    return end
  }

  /// Moves the clock, and runs what is due up to then. A moment that is past leaves the clock alone. Traps where
  /// moments are numbers and this one is none.
  public func advance(to instant: SchedulerTimeType) {
    requireNumber(instant)
    while let action = next(upTo: instant) { action() }
  }

  /// Runs until nothing is scheduled any more. It does not return while an action is being repeated: cancel that first,
  /// or use `runAllScheduledActions()`. Nor does it while actions, or tasks that sleep, go on scheduling others.
  public func run() {
    while let date = state.withLock({ $0.firstDate() }) { advance(to: date) }
  }

  /// Runs what is scheduled, and what that schedules, until only repeated actions are left that have run. Those run as
  /// often as they are due until then, and at least once.
  ///
  /// The timers of `debounce`, `timeout`, `retryWithBackoff` and the like are cancelled when they run: these operators
  /// are through then. It does not return while actions, or tasks that sleep, go on scheduling others.
  public func runAllScheduledActions() {
    var repeated = state.withLock { $0.repeatedTurns }
    advance()
    while let date = state.withLock({ $0.firstDateBeforeRest(&repeated) }) { advance(to: date) }
  }

  /// Moves the clock like `advance(by:)`, and lets waiting tasks run before each action and at the end.
  ///
  /// Tasks that were just made on the caller's own actor have begun then, and what the scheduler's clock has woken
  /// there has gone on, as ``VirtualClock`` tells; so call this from the main actor, and let the tasks under test run
  /// there. A task that something else has woken comes over a thread of the pool, mostly in time: for it, and for those
  /// of other actors, this gives up its thread a number of times, as no scheduler can know what a task is still going
  /// to do. Where an actor is blocked, it waits some seconds for each task that wakes there from a sleep. It waits
  /// some seconds at most, each time, for tasks of the caller's actor that are less urgent than the caller; where other
  /// tasks have kept the actor busy all that time, not again until it has been idle, but for those that wake from a
  /// sleep. Where tasks end sleeps all the time, as those that set one time limit after another, it waits some seconds
  /// up to three times before each action and at the end.
  ///
  /// All this takes some hundred turns of the caller's actor for each action, more for tasks that wake from a sleep,
  /// and as many turns of the pool's threads: where other tasks fill these, it takes that much longer. It does not
  /// return while tasks that are more urgent than the caller keep the actor busy, or while tasks that block have all
  /// threads of the pool.
  nonisolated(nonsending)
    public func advance(by duration: SchedulerTimeType.Stride = .zero) async
  {
    await advance(to: moment(after: duration))
  }

  /// Moves the clock like `advance(by:)` with a number of seconds, and lets waiting tasks run before each action and at
  /// the end.
  @_disfavoredOverload
  nonisolated(nonsending)
    public func advance(by seconds: Double) async
  {
    await advance(to: moment(afterSeconds: seconds))
  }

  /// Moves the clock like `advance(to:)`, and lets waiting tasks run before each action and at the end.
  nonisolated(nonsending)
    public func advance(to instant: SchedulerTimeType) async
  {
    requireNumber(instant)
    var isAtEnd = false
    while true {
      await letTasksRun()
      if runNext(upTo: instant) {
        isAtEnd = false
      } else if isAtEnd {
        return
      } else {
        isAtEnd = true
      }
    }
  }

  /// Runs like `run()`, and lets waiting tasks run before each action and at the end.
  nonisolated(nonsending)
    public func run() async
  {
    await letTasksRun()
    while let date = state.withLock({ $0.firstDate() }) { await advance(to: date) }
  }

  /// Runs like `runAllScheduledActions()`, and lets waiting tasks run before each action and at the end.
  nonisolated(nonsending)
    public func runAllScheduledActions() async
  {
    await letTasksRun()
    var repeated = state.withLock { $0.repeatedTurns }
    await advance()
    while let date = state.withLock({ $0.firstDateBeforeRest(&repeated) }) { await advance(to: date) }
  }

  /// Keeps an action for now.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    state.withLock { state in state.insert(state.now, state.nextSequence(), action) }
  }

  /// Keeps an action for a date. Traps where dates are numbers and this one is none.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    requireNumber(date)
    state.withLock { state in state.insert(date, state.nextSequence(), action) }
  }

  /// Keeps an action for a date and all dates at an interval after it. It keeps its place among actions of the same
  /// date.
  ///
  /// An interval that isn't positive counts as a nanosecond. Each date is so many intervals after the first one; where
  /// dates are in floating point, the intervals' sum is rounded, and then the date. Where the clock can't tell the
  /// dates apart, several runs have one date; the repetition ends where no later date can be told. Traps where dates
  /// and intervals are numbers and one of these is none.
  ///
  /// - Returns: An object that ends the repetition and frees the action when it is cancelled or freed. Any thread may
  ///   cancel it; if the action is running then, or another thread is about to run it, that run is the last.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    requireNumber(date)
    precondition(interval == interval, "the time between two runs has to be a number")
    let interval = interval > .zero ? interval : .nanoseconds(1)
    let identity = makeIdentity()
    repeatAction(action, at: date, run: 0, of: EqualIntervals(from: date, every: interval), identity: identity)
    return token(of: identity)
  }

  /// Keeps an action for a date.
  ///
  /// - Returns: An object that cancels and frees the action when it is cancelled or freed, unless another thread is
  ///   about to run it.
  func scheduleOnce(after date: SchedulerTimeType, _ action: @escaping () -> Void) -> AnyCancellable {
    let identity = makeIdentity()
    insert(date, identity) { [weak self] in if self?.finish(identity) == true { action() } }
    return token(of: identity)
  }

  private func makeIdentity() -> Int {
    state.withLock { state in
      let identity = state.nextSequence()
      state.alive[identity] = false
      return identity
    }
  }

  private func token(of identity: Int) -> AnyCancellable { AnyCancellable { [weak self] in self?.cancel(identity) } }

  /// Keeps an action that can be cancelled, unless it has been.
  private func insert(_ date: SchedulerTimeType, _ identity: Int, _ action: @escaping () -> Void) {
    state.withLock { state in
      guard state.alive[identity] != nil else { return }
      state.insert(date, identity, action)
    }
  }

  /// Keeps a run of a repeated action; the first is number 0. Each date is reckoned from the first one, as roundings
  /// would add up from one to the next.
  private func repeatAction(
    _ action: @escaping () -> Void, at date: SchedulerTimeType, run number: Int,
    of dates: EqualIntervals<SchedulerTimeType>, identity: Int
  ) {
    insert(date, identity) { [weak self] in
      guard let self else { return }
      let next = number < .max ? dates.moment(number + 1) : date
      // The next one is there before this one runs, which may cancel it.
      // Dates that the clock can't tell apart are one date, which several runs have.
      guard number < .max, next > date || dates.goOn(after: date) else {
        if finish(identity) { action() }
        return
      }
      guard begin(identity) else { return }
      repeatAction(action, at: next, run: number + 1, of: dates, identity: identity)
      action()
    }
  }

  /// Notes that a repeated action runs.
  ///
  /// - Returns: `false` if it has been cancelled.
  private func begin(_ identity: Int) -> Bool {
    state.withLock { state in
      guard state.alive[identity] != nil else { return false }
      state.alive[identity] = true
      return true
    }
  }

  /// Notes that an action runs for the last time.
  ///
  /// - Returns: `false` if it has been cancelled.
  private func finish(_ identity: Int) -> Bool { state.withLock { $0.alive.removeValue(forKey: identity) != nil } }

  private func cancel(_ identity: Int) {
    // What is taken out is freed after the lock: its `deinit` may be user code.
    let cancelled = state.withLock { $0.remove(identity) }
    withExtendedLifetime(cancelled) {}
  }

  /// Takes the next action that is due and moves the clock to its date; moves it to the end if there is none.
  private func next(upTo instant: SchedulerTimeType) -> (() -> Void)? {
    state.withLock { state in
      let action = state.takeFirst(upTo: instant)
      if action == nil { state.now = max(state.now, instant) }
      return action
    }
  }

  private func runNext(upTo instant: SchedulerTimeType) -> Bool {
    guard let action = next(upTo: instant) else { return false }
    action()
    return true
  }

  /// Lets tasks run that are ready, those go on that the clock has woken, and what both wake.
  func letTasksRun(_ limits: WakeLimits = WakeLimits(), isolation: isolated (any Actor)? = #isolation) async {
    let patience = Patience(limits.time)
    var rounds = 0
    // Some may end a sleep whenever others have gone on, as those do for which a time limit is set over and over.
    repeat {
      await letSleepersGoOn(limits)
      for _ in 0..<20 { await letTasksRunOnce() }
      rounds += 1
    } while !wokenSleepers.awaited.isEmpty && (rounds < limits.rounds || !patience.isOver)
  }

  private func letTasksRunOnce(isolation: isolated (any Actor)? = #isolation) async {
    // Nobody waits for these tasks, so they keep their low priority. One of the same actor comes behind those of it
    // that are ready, also where the actor runs the more urgent ones first.
    await ActorTurn.wait(busyActors)
    await PoolTurn.wait()
  }

  /// Waits for the tasks that the clock has woken. Not for ever: their actor may be blocked until the caller goes on,
  /// and they may be less urgent than what keeps the caller's own actor busy, which makes each round a long one.
  private func letSleepersGoOn(_ limits: WakeLimits, isolation: isolated (any Actor)? = #isolation) async {
    let first = wokenSleepers.awaited
    let patience = Patience(limits.time)
    for round in 0..<3_000 {
      guard !wokenSleepers.awaited.isEmpty else { return }
      if round >= limits.turns, patience.isOver { break }
      await letTasksRunOnce()
      if round >= 1_000 {
        // In a task of its own, which nobody cancels.
        _ = await Task.detached { try await Task.sleep(for: .milliseconds(1)) }.result
      }
    }
    wokenSleepers.giveUp(first)
  }
}

extension TestScheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  /// Creates a scheduler with a time of its own.
  public convenience init() { self.init(now: VirtualTime()) }
}
