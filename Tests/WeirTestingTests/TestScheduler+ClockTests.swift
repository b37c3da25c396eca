// Tests of virtual time as a clock of Swift's concurrency.

import Dispatch
import TestKit
import Testing
import Weir

@testable import WeirTesting

@MainActor
@Suite struct TestSchedulerClockTests {
  private let scheduler = TestScheduler()

  @Test func tasksSleepUntilTheTestMovesTheClock() async throws {
    let clock = scheduler.clock
    var log: [String] = []
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        log.append("\(seconds)@\(clock.now.time.nanoseconds / 1_000_000_000)")
      }
    }
    while scheduler.scheduledCount < 3 { await Task.yield() }
    func move(by nanoseconds: Int) { scheduler.advance(by: .nanoseconds(nanoseconds)) }
    move(by: 999_999_999)
    #expect(scheduler.scheduledCount == 3)
    for second in 1...3 {
      move(by: second == 1 ? 1 : 1_000_000_000)
      while log.count < second { await Task.yield() }
    }
    #expect(log == ["1@1", "2@2", "3@3"])
    for task in tasks { try await task.value }
  }

  /// It slept on, if the clock was moved between its look at the clock and the setting of its alarm.
  @Test func aTaskWakesHoweverTheClockIsMovedMeanwhile() async throws {
    for _ in 0..<2_000 {
      let scheduler = TestScheduler()
      let clock = scheduler.clock
      let task = Task.detached { try await clock.sleep(until: VirtualClock.Instant(VirtualTime(nanoseconds: 1))) }
      func move() { scheduler.advance(by: .nanoseconds(1)) }
      move()
      try await task.value
    }
  }

  /// It fell asleep on a thread of the pool, perhaps when the time had been moved already.
  @Test func aTaskOfTheActorIsAsleepBeforeTheTimeIsMoved() async throws {
    for _ in 0..<200 {
      let scheduler = TestScheduler()
      let clock = scheduler.clock
      let task = Task { try await clock.sleep(for: .seconds(2)) }
      await Task { @MainActor in }.value
      try #require(scheduler.scheduledCount == 1)
      await scheduler.advance(by: 2)
      try await task.value
    }
  }

  /// A dispatch queue that can be held up.
  private actor Home {
    final class Executor: SerialExecutor {
      let queue = DispatchQueue(label: "home")
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }
    let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func sleep(_ clock: VirtualClock) async throws { try await clock.sleep(for: .seconds(1)) }
  }

  /// Lets fewer of the pool's turns pass than a scheduler waits for a task at least, however slow the machine is: each
  /// is a part of one of the rounds in which it waits.
  private static func letTurnsPass() async {
    for _ in 0..<60 {
      await withCheckedContinuation { turn in _ = Task.detached(priority: .background) { turn.resume() } }
    }
  }

  /// It gave up its thread twenty times, however long the task took to go on.
  @Test func whoMovesTheClockWaitsForThoseItHasWoken() async throws {
    let (home, clock) = (Home(), scheduler.clock)
    let task = Task { try await home.sleep(clock) }
    while scheduler.scheduledCount == 0 { await Task.yield() }
    home.executor.queue.suspend()
    var isReleased = false
    let release = Task {
      await Self.letTurnsPass()
      isReleased = true
      home.executor.queue.resume()
    }
    await scheduler.advance(by: 1)
    #expect(isReleased)
    await release.value
    try await task.value
  }

  /// What was waited for in vain stood for another task when it went on: that one was not waited for.
  @Test func aBlockedActorIsNotWaitedForForEver() async throws {
    let (blocked, home, clock) = (Home(), Home(), scheduler.clock)
    let first = Task { try await blocked.sleep(clock) }
    while scheduler.scheduledCount == 0 { await Task.yield() }
    blocked.executor.queue.suspend()
    await scheduler.run()
    let second = Task { try await home.sleep(clock) }
    while scheduler.scheduledCount == 0 { await Task.yield() }
    home.executor.queue.suspend()
    func wake() { scheduler.run() }
    wake()
    blocked.executor.queue.resume()
    try await first.value
    var isReleased = false
    let release = Task {
      await Self.letTurnsPass()
      isReleased = true
      home.executor.queue.resume()
    }
    await scheduler.advance()
    #expect(isReleased)
    await release.value
    try await second.value
  }

  /// An actor that is never idle.
  private actor Server {
    private var requests = 0
    private var begun = 0

    func answer() { requests += 1 }

    /// How often something ran while the clock was moved.
    func ticks(of scheduler: TestScheduler<VirtualTime, Never>) async -> Int {
      var ticks = 0
      let timer = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { ticks += 1 }
      await scheduler.advance(by: .seconds(10))
      timer.cancel()
      return ticks
    }

    /// How many of some less urgent tasks had begun when the clock had been moved.
    func begun(of count: Int, on scheduler: TestScheduler<VirtualTime, Never>) async -> Int {
      for _ in 0..<count { Task(priority: .low) { begun += 1 } }
      await scheduler.advance(by: 1)
      return begun
    }

    /// Waits until there is nothing else to do.
    func rest() async {
      await withCheckedContinuation { continuation in
        _ = Task(priority: .background) {
          begun = 0
          continuation.resume()
        }
      }
    }
  }

  /// It waited for ever until the actor had nothing more urgent to do; then for two thousand turns of it each time.
  @Test(arguments: [2, 16]) func tasksMayKeepTheActorBusyForEver(count: Int) async {
    let (server, scheduler) = (Server(), scheduler)
    let end = VirtualTime(nanoseconds: 10_000_000_000)
    let clients = (0..<count).map { _ in Task.detached { while scheduler.now < end { await server.answer() } } }
    let ticks = await server.ticks(of: scheduler)
    for client in clients { await client.value }
    #expect(ticks == 11 && scheduler.now == end)
    // It counted as busy for ever, and less urgent tasks were not waited for.
    await server.rest()
    #expect(await server.begun(of: 200, on: scheduler) == 200)
  }

  /// Another's wait on an actor with nothing to do made each on the busy one as long as the first.
  @Test func twoTasksAdvanceAndOneIsOnAnActorBusyForEver() async {
    let (server, scheduler) = (Server(), scheduler)
    let end = VirtualTime(nanoseconds: 10_000_000_000)
    let clients = (0..<4).map { _ in Task.detached { while scheduler.now < end { await server.answer() } } }
    let other = Task { while scheduler.now < end { await scheduler.advance() } }
    let ticks = await server.ticks(of: scheduler)
    await other.value
    for client in clients { await client.value }
    #expect(ticks == 11 && scheduler.now == end)
  }

  /// It went on as long as they did.
  @Test func tasksMayEndSleepsForEver() async {
    let woken = scheduler.wokenSleepers
    let tasks = Task.detached {
      while !Task.isCancelled {
        if woken.awaited.count < 2 { _ = woken.add() }
        await Task.yield()
      }
    }
    while woken.awaited.isEmpty { await Task.yield() }
    let former = woken.add()
    await scheduler.letTasksRun(WakeLimits(turns: 2, rounds: 2, time: .zero))
    // It has waited for more than those that were there.
    #expect(woken.add() > former + 1)
    tasks.cancel()
    await tasks.value
  }

  @Test func tasksOfTheActorHaveGoneOnWhenTheClockHasBeenMoved() async throws {
    for _ in 0..<300 {
      let scheduler = TestScheduler()
      let clock = scheduler.clock
      var count = 0
      let task = Task {
        for _ in 0..<3 {
          try await clock.sleep(for: .seconds(1))
          count += 1
        }
      }
      await scheduler.advance(by: 1)
      #expect(count == 1)
      await scheduler.run()
      #expect(count == 3)
      try await task.value
    }
  }

  @Test func aPastMomentIsNotWaitedFor() async throws {
    await scheduler.advance(by: 5)
    try await scheduler.clock.sleep(until: VirtualClock.Instant(VirtualTime()))
    try await scheduler.clock.sleep(for: .zero)
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func aCancelledTaskWakesAndLeavesNothingBehind() async {
    let clock = scheduler.clock
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    while scheduler.scheduledCount == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scheduler.scheduledCount == 0)
    let late = Task { try await clock.sleep(for: .seconds(1)) }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func instantsSaturateAndRoundUp() {
    let now = scheduler.clock.now
    #expect(now.advanced(by: Duration(secondsComponent: 1, attosecondsComponent: 1)).time.nanoseconds == 1_000_000_001)
    #expect(now.advanced(by: .seconds(Int64.max)).time.nanoseconds == .max)
    #expect(now.advanced(by: Duration(attoseconds: .max)).time.nanoseconds == .max)
    #expect(now.advanced(by: Duration(attoseconds: .min)).time.nanoseconds == .min)
    #expect(now.advanced(by: .milliseconds(-2)).time.nanoseconds == -2_000_000)
    #expect(now.duration(to: now.advanced(by: .seconds(2))) == .seconds(2))
    // The time between them is more than virtual time is long.
    let first = VirtualClock.Instant(VirtualTime(nanoseconds: .min))
    let last = VirtualClock.Instant(VirtualTime(nanoseconds: .max))
    #expect(first.advanced(by: first.duration(to: last)) == last)
    #expect(last.advanced(by: last.duration(to: first)) == first)
    #expect(first.advanced(by: .seconds(Int64.max)) == last)
    #expect(scheduler.clock.minimumResolution == .nanoseconds(1) && now < now.advanced(by: .nanoseconds(1)))
  }
}
