// One test for each known mistake of widely copied test helpers; Tests/mistakes.csv lists them.

import TestKit
import Testing
import Weir
import WeirTesting

@Suite struct KnownMistakesTests {
  /// There: `now` is the real clock.
  @Test func nowIsVirtual() {
    let scheduler = TestScheduler()
    #expect(scheduler.now == scheduler.now && scheduler.now.nanoseconds == 0)
    scheduler.advance(by: 0.5)
    #expect(scheduler.now.nanoseconds == 500_000_000)
  }

  /// There: it runs at once, before what was scheduled earlier.
  @Test func immediateWorkIsNotRunAtOnceAndKeepsItsPlace() {
    let scheduler = TestScheduler()
    var log: [Int] = []
    scheduler.schedule(after: scheduler.now) { log.append(1) }
    scheduler.schedule { log.append(2) }
    #expect(log == [])
    scheduler.advance()
    #expect(log == [1, 2])
  }

  /// There: actions run in the order in which they were scheduled.
  @Test func actionsAreOrderedByDate() {
    let scheduler = TestScheduler()
    var log: [Int] = []
    for seconds in [3, 1, 2] { scheduler.schedule(after: .init(nanoseconds: seconds)) { log.append(seconds) } }
    scheduler.runAllScheduledActions()
    #expect(log == [1, 2, 3])
  }

  /// There: a repeated action runs once.
  @Test func repeatedActionsRepeat() {
    let scheduler = TestScheduler()
    var count = 0
    let token = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { count += 1 }
    scheduler.advance(by: 3.0)
    #expect(count == 4)
    token.cancel()
  }

  /// There: the token cancels nothing.
  @Test func theTokenCancels() {
    let scheduler = TestScheduler()
    var count = 0
    scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { count += 1 }.cancel()
    scheduler.advance(by: 5)
    #expect(count == 0)
  }

  /// There: they wait for the next call.
  @Test func actionsScheduledWhileRunningRunInTheSameCall() {
    let scheduler = TestScheduler()
    var log: [Int] = []
    scheduler.schedule {
      log.append(1)
      scheduler.schedule { log.append(2) }
    }
    scheduler.advance()
    #expect(log == [1, 2])
  }

  /// There: time does not move at all.
  @Test func timeAdvancesToEachActionsDate() {
    let scheduler = TestScheduler()
    var dates: [Int] = []
    for date in [10, 20] {
      scheduler.schedule(after: .init(nanoseconds: date)) { dates.append(scheduler.now.nanoseconds) }
    }
    scheduler.advance(by: .nanoseconds(100))
    #expect(dates == [10, 20] && scheduler.now.nanoseconds == 100)
  }

  /// There: the count never goes down.
  @Test func theSubscriberCountGoesDown() {
    let mock = MockPublisher<Int, Never>()
    let first = mock.sink { _ in }
    let second = mock.sink { _ in }
    #expect(mock.subscriberCount == 2)
    first.cancel()
    #expect(mock.subscriberCount == 1)
    mock.send(completion: .finished)
    #expect(mock.subscriberCount == 0)
    second.cancel()
    #expect(mock.subscriberCount == 0)
  }

  /// There: unsynchronised.
  @Test func theSubscriberCountIsExactWithEightThreads() {
    let mock = MockPublisher<Int, Never>()
    onThreads(8) { _ in
      for _ in 0..<200 { mock.sink { _ in }.cancel() }
    }
    #expect(mock.subscriberCount == 0 && mock.totalSubscriberCount == 1600)
  }

  /// There: the values are collected into a variable that other threads write.
  @Test func valuesOfSeveralThreadsAreAllCollected() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record()
    onThreads(4) { _ in for _ in 0..<100 { subject.send(1) } }
    try await recorder.waitForValues(400, timeout: .seconds(3600))
    #expect(recorder.values.count == 400)
  }
}
