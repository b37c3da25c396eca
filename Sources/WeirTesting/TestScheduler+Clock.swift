// The virtual time of a test scheduler as a clock of Swift's concurrency.

import Weir
import WeirQueues

/// A clock that goes as the test moves a ``TestScheduler``. In a test on the main actor:
///
///     let scheduler = TestScheduler()
///     let clock = scheduler.clock
///     let task = Task { try await clock.sleep(for: .seconds(2)) }
///     await scheduler.advance(by: 2)
///     try await task.value
///
/// There the task sleeps before the time is moved, and has gone on when `advance` returns. What calls `sleep` on
/// another actor or on none, as functions without isolation may do, or knows the clock only as some `Clock`, may go on
/// later; or it begins to sleep when the time has been moved already, and sleeps on. What has slept until the time came
/// is woken in its place among the scheduler's actions, on the thread that moves the time. Any thread may use it.
public struct VirtualClock: Clock {
  /// A moment in virtual time.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The same moment for the scheduler.
    public var time: VirtualTime

    /// Wraps a moment.
    ///
    /// - Parameter time: The moment for the scheduler.
    public init(_ time: VirtualTime) { self.time = time }

    /// The moment after some time, to the next nanosecond. It saturates where virtual time does.
    public func advanced(by duration: Duration) -> Instant {
      Instant(VirtualTime(nanoseconds: Int(clamping: Int128(time.nanoseconds) + duration.nanosecondsRoundedUp)))
    }

    /// The time from here to another moment.
    public func duration(to other: Instant) -> Duration {
      .nanoseconds(other.time.nanoseconds) - .nanoseconds(time.nanoseconds)
    }

    /// Whether one is earlier.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.time < rhs.time }
  }

  let scheduler: TestScheduler<VirtualTime, Never>

  /// The moment at which the scheduler's clock stands.
  public var now: Instant { Instant(scheduler.now) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the scheduler's clock has been moved to a moment; not at all if it is past.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Not used.
  /// - Throws: `CancellationError` if the task is cancelled; nothing stays scheduled then.
  public nonisolated(nonsending) func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return }
    let sleeper = Sleeper(scheduler.wokenSleepers)
    // On the caller's actor still, which the task may leave for what comes next.
    let alarm = scheduler.scheduleOnce(after: deadline.time) { sleeper.wake() }
    // Another thread may have moved the clock past the moment before the alarm was set.
    if deadline <= now { sleeper.wake() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { sleeper.sleep($0) }
    } onCancel: {
      sleeper.wake()
    }
    alarm.cancel()
    sleeper.goOn()
    try Task.checkCancellation()
  }

  /// Waits for a length of virtual time; not at all if it is not above zero.
  ///
  /// - Parameters:
  ///   - duration: How long.
  ///   - tolerance: Not used.
  /// - Throws: `CancellationError` if the task is cancelled; nothing stays scheduled then.
  public nonisolated(nonsending) func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    // That of every clock goes to a thread of the pool before it asks for the time.
    try await sleep(until: now.advanced(by: duration))
  }
}

extension TestScheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  /// A clock for tasks that goes with this scheduler's.
  public var clock: VirtualClock { VirtualClock(scheduler: self) }
}

/// One task that sleeps; whoever comes first wakes it, perhaps before it has fallen asleep.
private final class Sleeper: Sendable {
  private struct State {
    /// Its number among those that were woken, once it is one of them.
    var number: Int?
    var continuation: CheckedContinuation<Void, Never>?
  }
  private let state = Lock(State())
  private let woken: WokenSleepers

  init(_ woken: WokenSleepers) { self.woken = woken }

  func sleep(_ continuation: CheckedContinuation<Void, Never>) {
    let isAwake = state.withLock { state -> Bool in
      if state.number == nil { state.continuation = continuation }
      return state.number != nil
    }
    if isAwake { continuation.resume() }
  }

  func wake() {
    let former = state.withLock { state in
      defer { state = State(number: state.number ?? woken.add()) }
      return state
    }
    former.continuation?.resume()
  }

  /// Notes that the task goes on, where it has slept.
  func goOn() {
    // Under the lock of who woke it: so ThreadSanitizer sees that what was done before the waking is before what comes
    // now, which the runtime orders but does not tell it.
    if let number = state.withLock({ $0.number }) { woken.remove(number) }
  }
}

/// Which tasks were woken from their sleep and have not gone on: whoever moves the clock waits for them.
final class WokenSleepers: Sendable {
  private struct State {
    var lastNumber = 0
    var awaited: Set<Int> = []
  }
  private let state = Lock(State())

  /// Those that are waited for.
  var awaited: Set<Int> { state.withLock { $0.awaited } }

  func add() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.awaited.insert(state.lastNumber)
      return state.lastNumber
    }
  }

  func remove(_ number: Int) { state.withLock { _ = $0.awaited.remove(number) } }

  /// Waits no more for some.
  func giveUp(_ numbers: Set<Int>) { state.withLock { $0.awaited.subtract(numbers) } }
}

extension Duration {
  /// The length in nanoseconds, to the next one.
  fileprivate var nanosecondsRoundedUp: Int128 {
    // Not by its components, which trap where the seconds are more than 64 bits hold.
    let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return nanoseconds + (rest > 0 ? 1 : 0)
  }
}
