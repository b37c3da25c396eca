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
/// clock stands at an action's date while it runs; it never goes back. What an action schedules up to the moment to which
/// the clock is being moved runs as well. Nothing runs by itself, not even what is scheduled for now.
///
/// Any thread may schedule and cancel. Actions run on the thread that moves the clock, with no lock held; they may move it
/// themselves.
///
/// The seed's own scheduler has the real clock for `now`, runs what is scheduled for now at once, and orders, repeats and
/// cancels nothing.
public final class TestScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private struct Item {
    let date: SchedulerTimeType
    let sequence: Int
    /// Identifies a repeated action.
    let repetition: Int?
    let action: () -> Void
  }

  private struct State {
    var now: SchedulerTimeType
    var sequence = 0
    /// The last is the next to run.
    var items: [Item] = []

    mutating func nextSequence() -> Int {
      sequence += 1
      return sequence
    }

    mutating func insert(_ item: Item) {
      var (low, high) = (0, items.count)
      while low < high {
        let middle = (low + high) / 2
        if (items[middle].date, items[middle].sequence) > (item.date, item.sequence) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      items.insert(item, at: low)
    }
  }

  private let state: Lock<State>

  /// Creates a scheduler.
  ///
  /// - Parameter now: Where the clock stands at first.
  public init(now: SchedulerTimeType) { state = Lock(State(now: now)) }

  /// Where the clock stands.
  public var now: SchedulerTimeType { state.withLock { $0.now } }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// How many actions wait; a repeated one counts once.
  public var scheduledCount: Int { state.withLock { $0.items.count } }

  /// Moves the clock, and runs what is due up to then.
  ///
  /// - Parameter duration: How far; without it only what is due now runs.
  public func advance(by duration: SchedulerTimeType.Stride = .zero) { advance(to: now.advanced(by: duration)) }

  /// Moves the clock by a number of seconds, and runs what is due up to then.
  @_disfavoredOverload
  public func advance(by seconds: Double) { advance(by: .seconds(seconds)) }

  /// Moves the clock, and runs what is due up to then. A moment that is past leaves the clock alone.
  public func advance(to instant: SchedulerTimeType) {
    while let action = next(upTo: instant) { action() }
  }

  /// Runs until nothing is scheduled any more. It does not return while an action is being repeated: cancel that first,
  /// or use `runAllScheduledActions()`.
  public func run() {
    while let date = state.withLock({ $0.items.last?.date }) { advance(to: date) }
  }

  /// Runs what is scheduled, and what that schedules, until only repeated actions are left. Those run as often as they are
  /// due until then, and at least once.
  public func runAllScheduledActions() {
    var horizon = state.withLock { $0.items.first?.date }
    while let date = horizon {
      advance(to: date)
      horizon = state.withLock { $0.items.first { $0.repetition == nil }?.date }
    }
  }

  /// Moves the clock like `advance(by:)`, and lets waiting tasks run before each action and at the end.
  ///
  /// Tasks of the caller's own actor that are ready have run then; so call this from the main actor, and let the tasks under
  /// test run there. For others it gives up its thread a number of times, which mostly is enough, as no scheduler can know
  /// what a task is still going to do.
  nonisolated(nonsending)
    public func advance(by duration: SchedulerTimeType.Stride = .zero) async
  {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock like `advance(to:)`, and lets waiting tasks run before each action and at the end.
  nonisolated(nonsending)
    public func advance(to instant: SchedulerTimeType) async
  {
    await letTasksRun()
    while runNext(upTo: instant) { await letTasksRun() }
  }

  /// Runs like `run()`, and lets waiting tasks run before each action and at the end.
  nonisolated(nonsending)
    public func run() async
  {
    await letTasksRun()
    while let date = state.withLock({ $0.items.last?.date }) { await advance(to: date) }
  }

  /// Runs like `runAllScheduledActions()`, and lets waiting tasks run before each action and at the end.
  nonisolated(nonsending)
    public func runAllScheduledActions() async
  {
    await letTasksRun()
    var horizon = state.withLock { $0.items.first?.date }
    while let date = horizon {
      await advance(to: date)
      horizon = state.withLock { $0.items.first { $0.repetition == nil }?.date }
    }
  }

  /// Keeps an action for now.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    state.withLock { state in
      state.insert(Item(date: state.now, sequence: state.nextSequence(), repetition: nil, action: action))
    }
  }

  /// Keeps an action for a date.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    state.withLock { state in
      state.insert(Item(date: date, sequence: state.nextSequence(), repetition: nil, action: action))
    }
  }

  /// Keeps an action for a date and all dates at an interval after it. It keeps its place among actions of the same date.
  ///
  /// Traps unless the interval is positive.
  ///
  /// - Returns: Cancels the repetition and frees the action, also when it is dropped.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    precondition(interval > .zero, "a repeated action needs a positive interval")
    let repetition = state.withLock { $0.nextSequence() }
    repeatAction(action, at: date, interval: interval, repetition: repetition)
    return AnyCancellable { [weak self] in self?.cancel(repetition) }
  }

  private func repeatAction(
    _ action: @escaping () -> Void, at date: SchedulerTimeType, interval: SchedulerTimeType.Stride, repetition: Int
  ) {
    state.withLock { state in
      state.insert(
        Item(date: date, sequence: repetition, repetition: repetition) { [weak self] in
          // The next one is there before this one runs, which may cancel it.
          self?.repeatAction(action, at: date.advanced(by: interval), interval: interval, repetition: repetition)
          action()
        })
    }
  }

  private func cancel(_ repetition: Int) {
    // What is taken out is freed after the lock: its `deinit` may be user code.
    let cancelled = state.withLock { state -> Item? in
      guard let index = state.items.firstIndex(where: { $0.repetition == repetition }) else { return nil }
      return state.items.remove(at: index)
    }
    withExtendedLifetime(cancelled) {}
  }

  /// Takes the next action that is due and moves the clock to its date; moves it to the end if there is none.
  private func next(upTo instant: SchedulerTimeType) -> (() -> Void)? {
    state.withLock { state in
      guard let next = state.items.last, next.date <= instant else {
        state.now = max(state.now, instant)
        return nil
      }
      state.items.removeLast()
      state.now = max(state.now, next.date)
      return next.action
    }
  }

  private func runNext(upTo instant: SchedulerTimeType) -> Bool {
    guard let action = next(upTo: instant) else { return false }
    action()
    return true
  }

  private func letTasksRun(isolation: isolated (any Actor)? = #isolation) async {
    for _ in 0..<20 {
      // A task of the same actor comes behind those of it that are ready.
      await Task { _ = isolation }.value
      // Nobody waits for this one, so it keeps its low priority and mostly comes behind other tasks.
      await withCheckedContinuation { continuation in
        _ = Task.detached(priority: .background) { continuation.resume() }
      }
    }
  }
}

extension TestScheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  /// Creates a scheduler with a time of its own.
  public convenience init() { self.init(now: VirtualTime()) }
}
