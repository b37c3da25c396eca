// Tests of `measured`.

import TestKit
import Testing
import Weir
import WeirExtras
import WeirQueues

/// A clock that a test moves by hand.
final class HandClock: Sendable {
  private let time = Lock(0)

  func move(by nanoseconds: Int) { time.withLock { $0 += nanoseconds } }
  func now() -> Int { time.withLock { $0 } }
}

@Suite struct MeasuredTests {
  private let clock: HandClock
  private let metrics: StreamMetrics

  init() {
    let clock = HandClock()
    self.clock = clock
    metrics = StreamMetrics(clock: clock.now)
  }

  private var reading: StreamReading? { metrics["numbers"] }

  @Test func countsValuesAndEnds() throws {
    let subject = PassthroughSubject<Int, TestFailure>()
    let numbers = subject.measured("numbers", in: metrics)
    #expect(reading?.subscriptions == 0)
    let first = numbers.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let second = numbers.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    for value in 1...3 { subject.send(value) }
    #expect(reading?.values == 6)
    #expect(reading?.active == 2)
    second.cancel()
    second.cancel()
    subject.send(4)
    subject.send(completion: .failure(.first))
    let third = numbers.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let end = try #require(reading)
    #expect(end.name == "numbers")
    #expect(end.subscriptions == 3)
    #expect(end.values == 7)
    #expect(end.drops == 0)
    #expect(end.failures == 2)
    #expect(end.completions == 0)
    #expect(end.cancellations == 1)
    #expect(end.active == 0)
    withExtendedLifetime((first, third)) {}
  }

  @Test func aStreamThatFinishesIsComplete() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    (1...100).publisher.measured("numbers", in: metrics).subscribe(recorder)
    #expect(recorder.values == Array(1...100))
    #expect(recorder.completions == [.finished])
    recorder.cancel()
    #expect(reading?.values == 100)
    #expect(reading?.completions == 1)
    #expect(reading?.cancellations == 0)
  }

  @Test func demandAndCancellationPass() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(2), perValue: .max(1))
    source.measured("numbers", in: metrics).subscribe(recorder)
    #expect(source.send(1) == .max(1))
    recorder.request(.max(5))
    recorder.cancel()
    #expect(source.subscription?.history == [.requested(.max(2)), .requested(.max(5)), .cancelled])
    #expect(recorder.values == [1])
  }

  @Test func aValueThatComesAfterTheEndIsADrop() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    source.measured("numbers", in: metrics).subscribe(recorder)
    source.send(1)
    recorder.cancel()
    source.send(2)
    source.send(completion: .finished)
    #expect(reading?.values == 1)
    #expect(reading?.drops == 1)
    #expect(reading?.cancellations == 1)
    #expect(reading?.completions == 0)
  }

  /// Neither side has ended it, but no publisher and no subscriber has it any more.
  @Test func aSubscriptionThatIsLetGoOfIsACancellation() {
    let recorder = RecordingSubscriber<Int, Never>()
    Empty(completeImmediately: false).measured("numbers", in: metrics).subscribe(recorder)
    #expect(reading?.active == 1)
    recorder.forgetSubscriptions()
    #expect(reading?.active == 0)
    #expect(reading?.cancellations == 1)
    #expect(reading?.values == 0)
  }

  @Test func theFirstOfSixtyFourValuesIsMeasured() {
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.measured("numbers", in: metrics).sink { [clock] value in clock.move(by: value) }
    for value in 1...64 { subject.send(value) }
    #expect(reading?.handling.count == 1)
    #expect(reading?.handling.sum == .nanoseconds(1))
    subject.send(65)
    #expect(reading?.handling.count == 2)
    #expect(reading?.handling.sum == .nanoseconds(66))
    for value in 66...1_000 { subject.send(value) }
    #expect(reading?.handling.count == 16)
    sink.cancel()
  }

  @Test func whereTheFirstSubscriptionBringsNothingALaterValueIsTheFirstThatIsMeasured() {
    let (silent, subject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let sinks = [silent, subject].map { $0.measured("numbers", in: metrics).sink { _ in } }
    for value in 1...25 { subject.send(value) }
    #expect(reading?.handling.count == 0)
    subject.send(26)
    #expect(reading?.handling.count == 1)
    withExtendedLifetime(sinks) {}
  }

  /// Streams that bring a value each, as of a `flatMap`, would all be measured otherwise.
  @Test func ofShortStreamsToo() {
    for value in 1...130 {
      let sink = Just(value).measured("numbers", in: metrics).sink { [clock] in clock.move(by: $0) }
      sink.cancel()
    }
    #expect(reading?.values == 130)
    #expect(reading?.handling.count == 3)
    #expect(reading?.handling.sum == .nanoseconds(1 + 35 + 90))
  }

  @Test func ofThoseOfEverySecondSubscriptionToo() {
    for value in 1...640 {
      for sink in [
        Empty<Int, Never>().measured("numbers", in: metrics).sink { _ in },
        Just(value).measured("numbers", in: metrics).sink { _ in },
      ] { sink.cancel() }
    }
    #expect(reading?.values == 640)
    #expect(reading?.handling.count == 9)
  }

  @Test func aMeasuredValueHoldsThoseThatComeWithin() {
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.measured("numbers", in: metrics).sink { [clock] value in
      clock.move(by: 10)
      if value < 3 { subject.send(value + 1) }
      clock.move(by: 10)
    }
    subject.send(1)
    #expect(reading?.values == 3)
    #expect(reading?.handling.count == 1)
    #expect(reading?.handling.sum == .nanoseconds(60))
    sink.cancel()
  }

  /// Those that come within count, too.
  @Test func everySixtyFourthValueIsMeasuredAlsoWhereTheOthersComeWithin() {
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.measured("numbers", in: metrics).sink { value in
      if value == 0 { for inner in 1...63 { subject.send(inner) } }
    }
    for _ in 1...3 { subject.send(0) }
    #expect(reading?.values == 192)
    #expect(reading?.handling.count == 3)
    sink.cancel()
  }

  @Test func aSubscriberThatCancelsWithinAValueIsMeasured() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    recorder.onValue = { [clock] value in
      clock.move(by: 5)
      guard value == 1 else { return }
      recorder.cancel()
      source.send(2)
      clock.move(by: 5)
    }
    source.measured("numbers", in: metrics).subscribe(recorder)
    source.send(1)
    #expect(reading?.values == 1)
    #expect(reading?.drops == 1)
    #expect(reading?.handling.sum == .nanoseconds(15))
    recorder.onValue = nil
  }

  @Test func whatIsLeftToASchedulerIsNotMeasured() {
    let subject = PassthroughSubject<Int, Never>()
    let scheduler = ManualScheduler()
    let sink = subject.measured("numbers", in: metrics).receive(on: scheduler).sink { [clock] _ in
      clock.move(by: 10)
    }
    subject.send(1)
    scheduler.run()
    #expect(reading?.handling.sum == .zero)
    sink.cancel()
  }

  @Test func streamsOfOneNameAddUp() {
    for value in 1...3 {
      let sink = [value, value].publisher.measured("numbers", in: metrics).sink { _ in }
      sink.cancel()
    }
    let other = [1].publisher.measured("numbers", labels: ["part": "b"], in: metrics).sink { _ in }
    #expect(reading?.values == 6)
    #expect(reading?.subscriptions == 3)
    #expect(metrics["numbers", labels: ["part": "b"]]?.values == 1)
    other.cancel()
  }

  @Test func countsOfSeveralThreadsAreExact() {
    let metrics = metrics
    onThreads(4) { _ in
      for _ in 0..<200 {
        let subject = PassthroughSubject<Int, Never>()
        let sink = subject.measured("numbers", in: metrics).sink { _ in }
        for value in 0..<10 { subject.send(value) }
        sink.cancel()
      }
    }
    #expect(reading?.values == 8_000)
    #expect(reading?.subscriptions == 800)
    #expect(reading?.cancellations == 800)
    #expect(reading?.handling.count == 126)
  }

  /// Whoever reads meanwhile sees numbers that only grow.
  @Test func aReaderSeesCountsGrow() {
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.measured("numbers", in: metrics).sink { _ in }
    let (metrics, isOver) = (metrics, Counter())
    let reader = OtherThread {
      var last = 0
      while isOver.value == 0 {
        let values = metrics["numbers"]?.values ?? 0
        #expect(values >= last)
        last = values
      }
    }
    onThreads(2) { _ in for value in 0..<5_000 { subject.send(value) } }
    isOver.add()
    #expect(reader.comesBack())
    #expect(reading?.values == 10_000)
    sink.cancel()
  }
}
