// Tests of `retry(when:)`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct RetryWhenTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher<Int, TestFailure>()
  private let lifetimes = Lifetimes()

  @Test func eachValueOfTheTriggerSubscribesAgain() {
    let trigger = PassthroughSubject<Void, Never>()
    var failures: [TestFailure] = []
    let recorder = Recorder(.max(2))
    source.retry(when: { $0.handleEvents(receiveOutput: { failures.append($0) }).flatMap { _ in trigger.first() } })
      .subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.second))
    #expect(failures == [.second])
    source.subscription = RecordingSubscription()
    #expect(source.subscription?.history == [])
    trigger.send()
    #expect(source.subscription?.history == [.requested(.max(1))])
    trigger.send()
    #expect(source.subscription?.history == [.requested(.max(1))])
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.log == ["RetryWhen", "1", "2", "finished"])
  }

  /// What it had not asked for was dropped, and the stream stood still.
  @Test func aTriggerThatTakesOneFailureAtATimeHearsOfAll() {
    let pause = PassthroughSubject<Void, Never>()
    var attempts = 0
    let recorder = Recorder(.unlimited)
    Deferred {
      attempts += 1
      return Fail<Int, TestFailure>(error: .first)
    }
    .retry(when: { $0.flatMap(maxPublishers: .max(1)) { _ in pause.prefix(1) } })
    .subscribe(recorder)
    for _ in 0..<5 { pause.send() }
    #expect(attempts == 6 && recorder.completions.isEmpty)
  }

  /// What came while the trigger was not subscribed to the failures was lost, and the stream stood still.
  @Test func aTriggerOfPausesHearsOfAFailureThatComesWithinOne() {
    let scheduler = ManualScheduler()
    let recorder = Recorder(.unlimited)
    let attempts = Counter()
    Deferred { () -> AnyPublisher<Int, TestFailure> in
      attempts.add() < 4
        ? Fail(error: .first).eraseToAnyPublisher() : Just(7).setFailureType(to: TestFailure.self).eraseToAnyPublisher()
    }
    .retry(when: { failures in
      (1...3).publisher.flatMap(maxPublishers: .max(1)) { pause in
        failures.first().delay(for: .seconds(pause), scheduler: scheduler)
      }
    })
    .subscribe(recorder)
    scheduler.advance(by: .seconds(5))
    #expect(attempts.value == 3)
    scheduler.advance(by: .seconds(1))
    #expect(recorder.log == ["RetryWhen", "7", "finished"])
  }

  @Test func whoSubscribesToTheFailuresWhileOneWaitsGetsThatOneOnly() {
    let gate = PassthroughSubject<Void, Never>()
    let answer = PassthroughSubject<Void, Never>()
    let told = Shared([String]())
    let recorder = Recorder(.unlimited)
    source.retry(when: { failures in
      gate.flatMap { failures.handleEvents(receiveOutput: { told.value.append("\($0)") }).flatMap { _ in answer } }
    })
    .subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(told.value == [])
    gate.send()
    gate.send()
    #expect(told.value == ["first", "first"])
    answer.send()
    gate.send()
    #expect(told.value == ["first", "first"])
    source.send(completion: .failure(.second))
    #expect(told.value == ["first", "first", "second", "second", "second"])
    gate.send()
    #expect(told.value.count == 6)
    recorder.cancel()
    gate.send()
    #expect(told.value.count == 6)
  }

  /// Of such a failure it was not told, as it had its subscription before anybody noted that it listens.
  @Test func aFailureThatIsAnsweredAsAListenerGetsItsSubscriptionIsHeard() {
    let answer = PassthroughSubject<Void, Never>()
    var failures: AnyPublisher<TestFailure, Never>!
    let recorder = Recorder(.unlimited)
    source.retry(when: { stream in
      failures = stream
      return answer
    })
    .subscribe(recorder)
    func listen(_ body: @escaping () -> Void) -> [TestFailure] {
      let listener = RecordingSubscriber<TestFailure, Never>(.unlimited)
      listener.onSubscription = { _ in body() }
      failures.subscribe(listener)
      return listener.values
    }
    source.send(completion: .failure(.first))
    #expect(listen { answer.send() } == [.first])
    let later = listen {
      source.send(completion: .failure(.second))
      answer.send()
    }
    #expect(later == [.second])
  }

  /// The freeing of a failure is user code, and may come back.
  @Test func aFailureIsFreedWhenItHasItsAnswerAndMayCancelThen() {
    final class Failure: Error {
      let onFreed: @Sendable () -> Void
      init(_ onFreed: @escaping @Sendable () -> Void) { self.onFreed = onFreed }
      deinit { onFreed() }
    }
    let source = ScriptedPublisher<Int, Failure>()
    let answer = PassthroughSubject<Void, Never>()
    let recorder = RecordingSubscriber<Int, Failure>(.unlimited)
    source.retry(when: { $0.flatMap { _ in answer } }).subscribe(recorder)
    let freed = Counter()
    let stream = Shared(recorder)
    source.send(completion: .failure(Failure { freed.add() }))
    #expect(freed.value == 0)
    answer.send()
    #expect(freed.value == 1)
    source.send(completion: .failure(Failure { stream.value.cancel() }))
    source.subscription = RecordingSubscription()
    answer.send()
    #expect(source.subscription?.history.last == .cancelled)
  }

  /// `flatMap` holds its upstream after an inner failure, and that was held for ever.
  @Test func aTriggerThatGivesUpWithinFlatMapIsFreed() {
    let recorder = Recorder(.unlimited)
    let late = RecordingSubscriber<TestFailure, Never>(.unlimited)
    do {
      let source = ScriptedPublisher<Int, TestFailure>()
      let tracked = lifetimes.track()
      var failures: AnyPublisher<TestFailure, Never>!
      source.retry(when: { stream in
        failures = stream
        return stream.setFailureType(to: TestFailure.self).flatMap { failure in
          tracked.touch()
          return Fail<Void, TestFailure>(error: failure)
        }
      })
      .subscribe(recorder)
      source.send(completion: .failure(.second))
      failures.subscribe(late)
    }
    #expect(recorder.completions == [.failure(.second)])
    #expect(late.completions == [.finished] && late.values == [])
    #expect(lifetimes.live == 0)
  }

  @Test func aTriggerThatSubscribesAsAFailureComesHearsOfItOnce() {
    for _ in 0..<500 {
      let source = ScriptedPublisher<Int, TestFailure>()
      let gate = PassthroughSubject<Void, Never>()
      let told = Counter()
      let recorder = Recorder(.unlimited)
      source.retry(when: { failures in
        failures.first()
          .append(gate.first().flatMap { failures.handleEvents(receiveOutput: { _ in told.add() }) })
      })
      .subscribe(recorder)
      source.send(completion: .failure(.first))
      source.subscription = RecordingSubscription()
      onThreads(2) { number in
        if number == 0 { source.send(completion: .failure(.second)) } else { gate.send() }
      }
      #expect(told.value == 1)
      #expect(source.subscription?.history == [.requested(.unlimited)])
    }
  }

  @Test func aStreamThatCannotFailIsPassedOnWhateverTheTrigger() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    Just(1).retry(when: { $0 }).subscribe(recorder)
    #expect(recorder.log == ["RetryWhen", "1", "finished"])
  }

  @Test func theTriggersEndEndsAStreamThatWaits() {
    let finishing = Recorder(.unlimited)
    source.retry(when: { $0.first().filter { _ in false } }).subscribe(finishing)
    source.send(completion: .failure(.first))
    #expect(finishing.completions == [.finished])
    let failing = Recorder(.unlimited)
    source.retry(when: { $0.setFailureType(to: TestFailure.self).flatMap { Fail<Int, TestFailure>(error: $0) } })
      .subscribe(failing)
    source.send(completion: .failure(.second))
    #expect(failing.completions == [.failure(.second)])
  }

  @Test func aTriggerThatHasEndedEndsTheStreamAtTheNextFailure() {
    let recorder = Recorder(.unlimited)
    source.retry(when: { $0.first() }).subscribe(recorder)
    source.send(completion: .failure(.first))
    source.send(1)
    #expect(recorder.completions == [])
    source.send(completion: .failure(.second))
    #expect(recorder.log == ["RetryWhen", "1", "finished"])
  }

  @Test func manyFailuresAtOnceDoNotGrowTheStack() {
    let attempts = Counter()
    let recorder = Recorder(.unlimited)
    Deferred { () -> AnyPublisher<Int, TestFailure> in
      attempts.add() < 20_000
        ? Fail(error: .first).eraseToAnyPublisher() : Just(7).setFailureType(to: TestFailure.self).eraseToAnyPublisher()
    }.retry(when: { $0 }).subscribe(recorder)
    #expect(recorder.log == ["RetryWhen", "7", "finished"])
    #expect(attempts.value == 20_000)
  }

  /// A source that fails later, then one that fails at once, then a value.
  private func failingTwice() -> some Publisher<Int, TestFailure> {
    let attempts = Counter()
    return Deferred { [source] () -> AnyPublisher<Int, TestFailure> in
      switch attempts.add() {
      case 1: return source.eraseToAnyPublisher()
      case 2: return Fail<Int, TestFailure>(error: .second).eraseToAnyPublisher()
      default: return Just(7).setFailureType(to: TestFailure.self).eraseToAnyPublisher()
      }
    }
  }

  /// The second failure comes while the trigger is subscribed to.
  @Test(arguments: [true, false])
  func aTriggerThatSpeaksAtOnceHearsOfEachFailureInOrder(isFirst: Bool) {
    var told: [TestFailure] = []
    let recorder = Recorder(.unlimited)
    failingTwice().retry(when: { failures -> AnyPublisher<Void, Never> in
      let seconds = failures.handleEvents(receiveOutput: { told.append($0) }).filter { $0 == .second }.map { _ in () }
      return isFirst
        ? Just(()).append(seconds).eraseToAnyPublisher() : seconds.merge(with: Just(())).eraseToAnyPublisher()
    }).subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(told == [.first, .second])
    #expect(recorder.log == ["RetryWhen", "7", "finished"])
  }

  @Test func aTriggerThatEndsAtAFailureEndsTheStreamThatWaitsForTheNext() {
    let recorder = Recorder(.unlimited)
    failingTwice().retry(when: { failures -> AnyPublisher<Void, Never> in
      let end = failures.first().filter { _ in false }.map { _ in () }
      return Just(()).append(end).eraseToAnyPublisher()
    }).subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(recorder.log == ["RetryWhen", "finished"])
  }

  @Test func aTriggerThatCancelsHearsOfNoFurtherFailure() {
    var told: [TestFailure] = []
    let recorder = Recorder(.unlimited)
    failingTwice().retry(when: { failures -> AnyPublisher<Void, Never> in
      let heard = failures.map { failure -> Void in
        told.append(failure)
        recorder.cancel()
      }
      return Just(()).append(heard).eraseToAnyPublisher()
    }).subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(told == [.first])
    #expect(recorder.log == ["RetryWhen"])
    recorder.forgetSubscriptions()
  }

  @Test(arguments: [true, false])
  func cancellingLetsGoOfEverything(waiting: Bool) {
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.unlimited)
      recorder.onValue = { _ in tracked.touch() }
      source.retry(when: { failures in failures.filter { _ in tracked.number > 0 } }).subscribe(recorder)
      if waiting { source.send(completion: .failure(.first)) }
      recorder.cancel()
      recorder.forgetSubscriptions()
      source.forgetSubscriber()
      #expect(source.subscription?.history.last == (waiting ? .requested(.unlimited) : .cancelled))
    }
    #expect(lifetimes.live == 0)
  }
}
