// Tests of the scheduler whose clock the test moves.

import TestKit
import Testing
import Weir
import WeirTesting

/// A moment on a clock that moves by no more than a microsecond at a time.
private struct Seldom: Strideable {
  static let longest = 1_000

  var nanoseconds: Int
  func distance(to other: Self) -> VirtualTime.Stride { .nanoseconds(other.nanoseconds - nanoseconds) }
  func advanced(by stride: VirtualTime.Stride) -> Self {
    Self(nanoseconds: nanoseconds + min(stride.magnitude, Self.longest))
  }
}

@Suite struct TestSchedulerTests {
  private typealias Time = VirtualTime
  private final class Log { var lines: [String] = [] }

  @Test func actionsRunByDateAndThenInTheOrderInWhichTheyWereScheduled() {
    let scheduler = TestScheduler()
    let log = Log()
    func note(_ name: String) { log.lines.append("\(name)@\(scheduler.now.nanoseconds)") }
    scheduler.schedule(after: Time(nanoseconds: 20)) { note("late") }
    scheduler.schedule(after: Time(nanoseconds: 10)) { note("first") }
    scheduler.schedule(after: Time(nanoseconds: 10)) { note("second") }
    scheduler.schedule { note("now") }
    #expect(log.lines == [])
    scheduler.advance()
    #expect(log.lines == ["now@0"])
    scheduler.advance(by: .nanoseconds(15))
    #expect(log.lines == ["now@0", "first@10", "second@10"] && scheduler.now.nanoseconds == 15)
    scheduler.advance(to: Time(nanoseconds: 20))
    #expect(log.lines.last == "late@20" && scheduler.scheduledCount == 0)
  }

  @Test func whatIsScheduledWhileTheClockMovesRunsIfItIsDue() {
    let scheduler = TestScheduler()
    let log = Log()
    scheduler.schedule(after: Time(nanoseconds: 10)) {
      log.lines.append("outer")
      scheduler.schedule { log.lines.append("now") }
      scheduler.schedule(after: Time(nanoseconds: 3)) { log.lines.append("past@\(scheduler.now.nanoseconds)") }
      scheduler.schedule(after: Time(nanoseconds: 30)) { log.lines.append("later") }
    }
    scheduler.advance(by: .nanoseconds(20))
    #expect(log.lines == ["outer", "past@10", "now"])
    scheduler.run()
    #expect(log.lines.last == "later" && scheduler.now.nanoseconds == 30)
  }

  @Test func aRepeatedActionRunsUntilItIsCancelled() {
    let scheduler = TestScheduler()
    let log = Log()
    let token = scheduler.schedule(after: Time(nanoseconds: 5), interval: .nanoseconds(10)) {
      log.lines.append("\(scheduler.now.nanoseconds)")
    }
    scheduler.advance(by: .nanoseconds(30))
    #expect(log.lines == ["5", "15", "25"])
    token.cancel()
    scheduler.run()
    #expect(log.lines.count == 3 && scheduler.scheduledCount == 0)
  }

  @Test func aRepeatedActionMayCancelItself() {
    let scheduler = TestScheduler()
    var count = 0
    var token: (any Cancellable)?
    token = scheduler.schedule(after: scheduler.now, interval: .nanoseconds(1)) {
      count += 1
      if count == 3 { token?.cancel() }
    }
    scheduler.run()
    #expect(count == 3)
  }

  @Test func cancellingFreesTheAction() {
    let lifetimes = Lifetimes()
    let scheduler = TestScheduler()
    let token = scheduler.schedule(
      after: scheduler.now, interval: .seconds(1),
      { [tracked = lifetimes.track()] in tracked.touch() })
    scheduler.advance(by: 2)
    token.cancel()
    #expect(lifetimes.live == 0)
  }

  @Test func aSchedulerIsKeptByActionsThatHoldItUntilTheyRun() {
    weak var freed: TestScheduler<VirtualTime, Never>?
    do {
      let scheduler = TestScheduler()
      freed = scheduler
      Just(1).delay(for: 1, scheduler: scheduler).sink { _ in }.cancel()
      let subject = PassthroughSubject<Int, Never>()
      let timers = subject.debounce(for: 1, scheduler: scheduler).timeout(1, scheduler: scheduler).sink { _ in }
      subject.send(1)
      timers.cancel()
    }
    #expect(freed?.scheduledCount == 2)
    freed?.run()
    #expect(freed == nil)
  }

  /// Those of former versions were moved to make room, and searched to be cancelled: a hundred thousand took more than
  /// an hour.
  @Test func manyActionsAreKeptAndCancelled() {
    let lifetimes = Lifetimes()
    let scheduler = TestScheduler()
    var log: [Int] = []
    let tokens = (0..<100_000).map { number in
      // Each date behind those before, as where values are delayed.
      scheduler.schedule(after: Time(nanoseconds: number), interval: .seconds(1)) {
        [tracked = lifetimes.track()] in
        tracked.touch()
        log.append(number)
      }
    }
    #expect(scheduler.scheduledCount == 100_000)
    for (number, token) in tokens.enumerated() where number % 1000 != 7 { token.cancel() }
    #expect(scheduler.scheduledCount == 100 && lifetimes.live == 100)
    scheduler.runAllScheduledActions()
    #expect(log == (0..<100).map { $0 * 1000 + 7 } && scheduler.scheduledCount == 100)
    for token in tokens { token.cancel() }
    #expect(scheduler.scheduledCount == 0 && lifetimes.live == 0)
  }

  /// Each delay was taken for a repetition, before which it stopped.
  @Test func allRetriesAfterDelaysAreRun() {
    let scheduler = TestScheduler()
    var tries: [Int] = []
    let failing = Deferred {
      tries.append(scheduler.now.nanoseconds / 1_000_000_000)
      return Fail<Int, TestFailure>(error: .first)
    }
    let recorder = RecordingSubscriber<Int, TestFailure>()
    failing.catch { Fail(error: $0).delay(for: .seconds(2), scheduler: scheduler) }.retry(4).subscribe(recorder)
    #expect(tries == [0] && recorder.completions.isEmpty)
    scheduler.runAllScheduledActions()
    #expect(tries == [0, 2, 4, 6, 8] && scheduler.scheduledCount == 0)
    #expect(recorder.completions == [.failure(.first)])
  }

  @Test func theLastActionCountsHoweverManyWereCancelled() {
    let scheduler = TestScheduler()
    var log: [Int] = []
    scheduler.schedule(after: Time(nanoseconds: 3)) { log.append(3) }
    for number in 4..<10 { scheduler.schedule(after: Time(nanoseconds: number), interval: 1) {}.cancel() }
    scheduler.runAllScheduledActions()
    #expect(log == [3] && scheduler.now.nanoseconds == 3)
    scheduler.run()
    #expect(scheduler.now.nanoseconds == 3 && scheduler.scheduledCount == 0)
  }

  @Test func theClockNeverGoesBack() {
    let scheduler = TestScheduler()
    scheduler.advance(by: .nanoseconds(50))
    scheduler.advance(to: Time(nanoseconds: 10))
    #expect(scheduler.now.nanoseconds == 50)
  }

  @Test func anActionMayMoveTheClock() {
    let scheduler = TestScheduler()
    let log = Log()
    scheduler.schedule {
      scheduler.advance(by: .nanoseconds(100))
      log.lines.append("outer@\(scheduler.now.nanoseconds)")
    }
    scheduler.schedule(after: Time(nanoseconds: 60)) { log.lines.append("inner@\(scheduler.now.nanoseconds)") }
    scheduler.advance(by: .nanoseconds(10))
    #expect(log.lines == ["inner@60", "outer@100"] && scheduler.now.nanoseconds == 100)
  }

  /// For each step it looked through all that waited; and it went on to where a cancelled action had been.
  @Test func runAllScheduledActionsGoesFromDateToDate() {
    let scheduler = TestScheduler()
    var runs = 0
    let repetitions = (0..<1_000).map { _ in
      scheduler.schedule(after: scheduler.now, interval: .seconds(1_000)) { runs += 1 }
    }
    var steps = 0
    var last: (any Cancellable)?
    func step() {
      steps += 1
      if steps == 1 {
        last = scheduler.schedule(after: Time(nanoseconds: .max), interval: .seconds(1)) { steps = -1 }
      }
      if steps < 1_000 { return scheduler.schedule(after: scheduler.now.advanced(by: .nanoseconds(1)), step) }
      last?.cancel()
    }
    scheduler.schedule(step)
    scheduler.runAllScheduledActions()
    #expect(steps == 1_000 && runs == 1_000 && scheduler.now.nanoseconds == 999 && scheduler.scheduledCount == 1_000)
    withExtendedLifetime(repetitions) {}
  }

  /// It went on to the date that a timer had had as it began, and with it all repetitions.
  @Test func runAllScheduledActionsStopsWhereTheRestIsCancelled() async throws {
    for isAsynchronous in [false, true] {
      func runAll(_ scheduler: TestScheduler<Time, Never>) async {
        func runAtOnce() { scheduler.runAllScheduledActions() }
        if isAsynchronous { await scheduler.runAllScheduledActions() } else { runAtOnce() }
      }
      let scheduler = TestScheduler()
      var runs: [Int] = []
      let repetition = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) {
        runs.append(scheduler.now.nanoseconds / 1_000_000_000)
      }
      let recorder = try scheduler.cold("-a|", values: ["a": 1]).timeout(.seconds(3_600), scheduler: scheduler).record()
      await runAll(scheduler)
      #expect(runs == [0] && scheduler.now.nanoseconds == 2_000_000 && recorder.values == [1])
      // One that has run before runs once more, unless it is cancelled.
      let late = scheduler.schedule(after: scheduler.now, interval: .seconds(10)) {}
      await runAll(scheduler)
      #expect(runs == [0, 1] && scheduler.scheduledCount == 2)
      scheduler.schedule(after: Time(nanoseconds: 3_500_000_000)) { late.cancel() }
      await runAll(scheduler)
      #expect(runs == [0, 1, 2, 3] && scheduler.scheduledCount == 1)
      await runAll(scheduler)
      #expect(runs == [0, 1, 2, 3, 4])
      repetition.cancel()
    }
  }

  /// What is due already, where an action asks for all.
  @Test func anActionMayRunAllScheduledActions() {
    let scheduler = TestScheduler()
    var runs = [0, 0]
    let outer = scheduler.schedule(after: Time(nanoseconds: 1), interval: .seconds(1)) {
      runs[0] += 1
      if runs[0] == 2 { scheduler.runAllScheduledActions() }
    }
    let inner = scheduler.schedule(after: Time(nanoseconds: 1), interval: .seconds(1)) { runs[1] += 1 }
    scheduler.advance(by: .nanoseconds(1))
    #expect(runs == [1, 1])
    scheduler.advance(by: .seconds(1))
    #expect(runs == [3, 3] && scheduler.now.nanoseconds == 2_000_000_001)
    outer.cancel()
    inner.cancel()
  }

  @Test func runAllScheduledActionsStopsWhereOnlyRepetitionsAreLeft() {
    let scheduler = TestScheduler()
    let log = Log()
    let token = scheduler.schedule(after: Time(nanoseconds: 10), interval: .nanoseconds(10)) {
      log.lines.append("tick")
    }
    scheduler.schedule(after: Time(nanoseconds: 25)) {
      scheduler.schedule(after: Time(nanoseconds: 35)) { log.lines.append("chained") }
    }
    scheduler.runAllScheduledActions()
    #expect(log.lines == ["tick", "tick", "tick", "chained"])
    scheduler.runAllScheduledActions()
    #expect(log.lines.last == "tick" && log.lines.count == 5)
    token.cancel()
  }

  @Test func anIntervalOfNothingIsANanosecond() {
    let scheduler = TestScheduler()
    var dates: [Int] = []
    let token = scheduler.schedule(after: scheduler.now, interval: .zero) { dates.append(scheduler.now.nanoseconds) }
    scheduler.advance(by: .nanoseconds(2))
    token.cancel()
    #expect(dates == [0, 1, 2])
    var values: [Int] = []
    let stream = Just(1).delay(for: .zero, scheduler: scheduler).append(Empty(completeImmediately: false))
      .debounce(for: .zero, scheduler: scheduler).sink { values.append($0) }
    scheduler.runAllScheduledActions()
    #expect(values == [1])
    stream.cancel()
  }

  /// The repetition went on if it was cancelled while the thread of the clock had it out.
  @Test func aRepetitionThatAnotherThreadCancelsEnds() {
    let scheduler = TestScheduler()
    for _ in 0..<100 {
      let token = Shared(scheduler.schedule(after: scheduler.now, interval: .nanoseconds(1)) {})
      onThreads(2) { number in
        if number == 0 { scheduler.advance(by: .nanoseconds(50)) } else { token.value.cancel() }
      }
      #expect(scheduler.scheduledCount == 0)
    }
  }

  /// What another thread cancels while the action runs: here that thread is waited for.
  @Test func aRepetitionThatIsCancelledWhileItRunsDoesNotRunAgain() {
    let scheduler = TestScheduler()
    var count = 0
    let token = Shared<(any Cancellable)?>(nil)
    token.value = scheduler.schedule(after: scheduler.now, interval: .nanoseconds(1)) {
      count += 1
      onThreads(1) { _ in token.value?.cancel() }
    }
    scheduler.run()
    #expect(count == 1 && scheduler.scheduledCount == 0)
  }

  /// Their timers counted as repetitions, so that it stopped after the first.
  @Test func runningAllGoesOnUntilOperatorsAreThrough() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, TestFailure>()
    var log: [String] = []
    func note(_ name: String) { log.append("\(name)@\(scheduler.now.nanoseconds / 1_000_000_000)") }
    let streams = [
      subject.debounce(for: 1, scheduler: scheduler).debounce(for: 1, scheduler: scheduler)
        .sink { _ in
        } receiveValue: { _ in
          note("debounce")
        },
      subject.delay(for: 3, scheduler: scheduler).timeout(5, scheduler: scheduler)
        .sink { _ in
          note("timeout")
        } receiveValue: { _ in
        },
    ]
    subject.send(1)
    scheduler.runAllScheduledActions()
    #expect(log == ["debounce@2", "timeout@8"] && scheduler.scheduledCount == 0)
    withExtendedLifetime(streams) {}
  }

  /// It stopped after the first pause; and pauses beyond the end of the clock stopped the program.
  @Test func runningAllGoesOnUntilRetriesAreThrough() {
    let scheduler = TestScheduler()
    var seconds: [Int] = []
    let recorder = Deferred {
      seconds.append(scheduler.now.nanoseconds / 1_000_000_000)
      return Just(0).setFailureType(to: TestFailure.self)
        .delay(for: .seconds(1 << (seconds.count - 1)), scheduler: scheduler)
        .flatMap { _ in Fail<Int, TestFailure>(error: .first) }
    }
    .retry(40).record()
    scheduler.runAllScheduledActions()
    #expect(seconds.prefix(4) == [0, 1, 3, 7] && seconds.last == 9_223_372_036 && seconds.count == 41)
    #expect(recorder.completion == .failure(.first) && scheduler.scheduledCount == 0)
  }

  @Test func theClockMovesAsFarAsItGoes() {
    let scheduler = TestScheduler()
    var values: [Int] = []
    let stream = Just(1).delay(for: .seconds(Int.max), scheduler: scheduler).sink { values.append($0) }
    var runs = 0
    let repetition = scheduler.schedule(after: scheduler.now, interval: .seconds(Int.max)) { runs += 1 }
    scheduler.advance(by: .infinity)
    #expect(values == [1] && runs == 2 && scheduler.now.nanoseconds == .max && scheduler.scheduledCount == 0)
    withExtendedLifetime((stream, repetition)) {}
  }

  /// The longest time is half of what lies between the first moment and the last one.
  @Test func theClockMovesAsFarAsItGoesFromFarBack() {
    let scheduler = TestScheduler<VirtualTime, Never>(now: VirtualTime(nanoseconds: .min))
    scheduler.advance(by: .infinity)
    #expect(scheduler.now.nanoseconds == .max)
    scheduler.advance(by: .infinity)
    #expect(scheduler.now.nanoseconds == .max)
  }

  /// It trapped: two such moments are not equal where the distance between moments tells.
  /// It was on its way for minutes.
  @Test func infinityIsAThousandOfTheLongestStridesAtMost() {
    let scheduler = TestScheduler<Seldom, Never>(now: Seldom(nanoseconds: 5))
    scheduler.advance(by: .infinity)
    #expect(scheduler.now.nanoseconds == 5 + 1_000 * Seldom.longest)
  }

  @Test func aClockInFloatingPointMovesToInfinity() {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 0))
    var runs = 0
    scheduler.schedule(after: Seconds(seconds: .infinity)) { runs += 1 }
    for _ in 0..<2 { scheduler.advance(by: .infinity) }
    #expect(runs == 1 && scheduler.now.seconds == .infinity && scheduler.scheduledCount == 0)
  }

  /// It trapped: what lies infinitely far before infinity is no number.
  @Test func aClockAtInfinityStaysThereOnTheWayBack() {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 0))
    scheduler.advance(by: Double.infinity)
    var runs = 0
    scheduler.schedule { runs += 1 }
    scheduler.advance(by: -Double.infinity)
    scheduler.advance(by: Seconds.Stride.seconds(-Double.infinity))
    #expect(runs == 0 && scheduler.now.seconds == .infinity)
    scheduler.advance()
    #expect(runs == 1)
  }

  @Test func aClockAtInfinityStaysThereOnTheWayBackAsynchronously() async {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 0))
    await scheduler.advance(by: Double.infinity)
    await scheduler.advance(by: -Double.infinity)
    await scheduler.advance(by: Seconds.Stride.seconds(-Double.infinity))
    #expect(scheduler.now.seconds == .infinity)
  }

  @MainActor
  @Test func asynchronousFormsLetTasksRunAtTheEnd() async {
    let scheduler = TestScheduler()
    let seen = Counter()
    let task = Task { @MainActor in
      while scheduler.now.nanoseconds < 2 { await Task.yield() }
      seen.add()
    }
    await scheduler.advance(by: .nanoseconds(2))
    #expect(seen.value == 1)
    await task.value
  }

  /// Tasks of the same actor run in the order in which they became ready.
  @MainActor
  @Test func asynchronousFormsLetTasksOfTheActorRun() async {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let received = Counter()
    let token = subject.delay(for: .nanoseconds(5), scheduler: scheduler).sink { _ in received.add() }
    func sendFromATask() { Task { @MainActor in subject.send(1) } }
    scheduler.schedule(after: Time(nanoseconds: 10)) { MainActor.assumeIsolated { sendFromATask() } }
    await scheduler.advance(by: .nanoseconds(10))
    await scheduler.advance(to: Time(nanoseconds: 40))
    #expect(received.value == 1)
    sendFromATask()
    await scheduler.run()
    #expect(received.value == 2)
    sendFromATask()
    await scheduler.runAllScheduledActions()
    #expect(received.value == 3)
    sendFromATask()
    let half = 0.5
    await scheduler.advance(by: half)
    #expect(received.value == 4)
    token.cancel()
  }

  /// An actor runs its more urgent tasks first.
  @Test func asynchronousFormsLetLessUrgentTasksOfTheActorRun() async {
    actor Busy {
      var count = 0
      func add() { count += 1 }
      func countOfOthers() async -> Int {
        for _ in 0..<3_000 { Task(priority: .background) { add() } }
        await TestScheduler().advance()
        return count
      }
    }
    for _ in 0..<10 {
      let count = await Task(priority: .high) { await Busy().countOfOthers() }.value
      #expect(count == 3_000)
    }
  }

  @Test func itTakesTheTimeOfAnotherScheduler() {
    let scheduler = TestSchedulerOf<ManualScheduler>(now: ManualTime(1))
    var values: [Int] = []
    let token = Just(1).delay(for: .seconds(1), scheduler: scheduler).sink { values.append($0) }
    scheduler.advance(by: 0.5)
    #expect(values == [])
    scheduler.advance(by: .milliseconds(500))
    #expect(values == [1])
    token.cancel()
  }

  @Test func severalThreadsMaySchedule() {
    let scheduler = TestScheduler()
    let count = Counter()
    onThreads(8) { number in
      for index in 0..<100 {
        scheduler.schedule(after: Time(nanoseconds: index * 7 % 13 + number)) { count.add() }
        let token = scheduler.schedule(after: scheduler.now, interval: .nanoseconds(1)) { count.add() }
        token.cancel()
      }
    }
    scheduler.run()
    #expect(count.value == 800)
  }

  /// Each date was the one before plus the interval, and the roundings added up: 47 of a million runs were lost.
  @Test func theDatesOfARepetitionDoNotDrift() {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 812_345_678))
    var runs = 0
    let token = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) { runs += 1 }
    scheduler.advance(by: .seconds(100))
    token.cancel()
    // The last one's date may be rounded up.
    #expect((100_000...100_001).contains(runs))
  }
}
