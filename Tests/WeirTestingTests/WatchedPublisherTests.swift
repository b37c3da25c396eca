// Tests of the log of what a publisher's subscribers do and get.

import TestKit
import Testing
import Weir
import WeirTesting

@Suite struct WatchedPublisherTests {
  private typealias Record = TimedEvent<VirtualTime, WatchedEvent<Int, TestFailure>>

  private func at(_ milliseconds: Int, _ event: WatchedEvent<Int, TestFailure>) -> Record {
    Record(VirtualTime().advanced(by: .milliseconds(milliseconds)), event)
  }

  @Test func everythingIsNotedWithItsTime() throws {
    let scheduler = TestScheduler()
    let cold = try scheduler.cold("-a-b-#", values: ["a": 1, "b": 2], failure: TestFailure.first)
    let source = scheduler.watch(cold)
    let first = source.prefix(1).record()
    scheduler.advance(by: .milliseconds(2))
    let all = source.record(demand: .max(1))
    scheduler.advance(by: .milliseconds(2))
    all.request(.max(5))
    scheduler.run()
    let firstLog = [at(0, .subscription), at(0, .request(.unlimited)), at(1, .value(1)), at(1, .cancellation)]
    let secondLog = [
      at(2, .subscription), at(2, .request(.max(1))), at(3, .value(1)), at(4, .request(.max(5))), at(5, .value(2)),
      at(7, .completion(.failure(.first))),
    ]
    #expect(source.log == firstLog + secondLog)
    #expect(source.logs == [firstLog, secondLog])
    #expect(first.values == [1] && all.values == [1, 2])
  }

  @Test func demandThatIsReturnedIsARequest() {
    let scheduler = TestScheduler()
    let source = scheduler.watch((1...2).publisher.setFailureType(to: TestFailure.self))
    let subscriber = RecordingSubscriber<Int, TestFailure>(.max(1))
    subscriber.demandPerValue = { _ in .max(1) }
    source.subscribe(subscriber)
    #expect(
      source.log == [
        at(0, .subscription), at(0, .request(.max(1))), at(0, .value(1)), at(0, .request(.max(1))), at(0, .value(2)),
        at(0, .request(.max(1))), at(0, .completion(.finished)),
      ])
  }

  @Test func nothingIsNotedBehindACancellation() {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, TestFailure>()
      let source = TestScheduler().watch(subject)
      let recorder = source.record()
      onThreads([
        { for value in 0..<50 { subject.send(value) } },
        { recorder.cancel() },
      ])
      #expect(source.log.last == at(0, .cancellation))
      #expect(source.log.filter { $0 == at(0, .cancellation) }.count == 1)
    }
  }

  /// Former versions searched all records for those of each subscriber.
  @Test func eachOfManySubscribersHasALogOfItsOwn() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, TestFailure>()
    let source = scheduler.watch(subject)
    let recorders = (0..<10_000).map { source.record(demand: .max($0 % 2 + 1)) }
    subject.send(7)
    let logs = source.logs
    #expect(logs.count == 10_000)
    #expect(
      logs.enumerated().allSatisfy { number, log in
        log == [at(0, .subscription), at(0, .request(.max(number % 2 + 1))), at(0, .value(7))]
      })
    for recorder in recorders { recorder.cancel() }
  }

  /// The time was told before the record had its place.
  @Test func timesAscendWhereSeveralThreadsSubscribe() {
    let scheduler = TestScheduler()
    let source = scheduler.watch(PassthroughSubject<Int, TestFailure>())
    onThreads(2) { _ in
      for _ in 0..<10_000 {
        scheduler.advance(by: .nanoseconds(1))
        source.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
      }
    }
    let times = source.log.map(\.time)
    #expect(times.count == 60_000 && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func itTakesTheTimeOfItsScheduler() {
    let scheduler = TestScheduler<ImmediateScheduler.SchedulerTimeType, Never>(now: ImmediateScheduler.shared.now)
    let source = scheduler.watch(Just(1))
    source.record().expect(values: [1])
    #expect(source.log.allSatisfy { $0.time == scheduler.now } && source.log.first?.event == .subscription)
  }
}
