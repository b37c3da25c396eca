// Tests of `retryWithBackoff`, in virtual time.

import Dispatch
import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct RetryWithBackoffTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = ManualScheduler()
  private let lifetimes = Lifetimes()

  /// Fails at once whenever it is subscribed to, and writes down when.
  private func failing(_ times: Shared<[Int]>) -> some Publisher<Int, TestFailure> {
    Deferred {
      times.value.append(scheduler.now.nanoseconds / 1_000_000)
      return Fail<Int, TestFailure>(error: times.value.count.isMultiple(of: 2) ? .second : .first)
    }
  }

  /// The first commonly copied version retried once, at the first delay.
  @Test func pausesDoubleUpToTheCapAndTheLastFailureIsPassedOn() {
    let times = Shared<[Int]>([])
    let recorder = Recorder(.unlimited)
    failing(times).retryWithBackoff(maxRetries: 5, initialDelay: 0.05, maxDelay: 0.3, scheduler: scheduler)
      .subscribe(recorder)
    scheduler.advance(by: .seconds(10))
    #expect(times.value == [0, 50, 150, 350, 650, 950])
    #expect(recorder.log == ["RetryWithBackoff", "failed second"])
  }

  @Test func noRetriesPassTheFailureOnAtOnce() {
    let times = Shared<[Int]>([])
    let recorder = Recorder(.unlimited)
    failing(times).retryWithBackoff(maxRetries: 0, scheduler: scheduler).subscribe(recorder)
    #expect(times.value == [0])
    #expect(recorder.completions == [.failure(.first)])
  }

  @Test func eachSubscriptionCountsForItself() {
    let times = Shared<[Int]>([])
    let retried = failing(times).retryWithBackoff(maxRetries: 2, initialDelay: 1, scheduler: scheduler)
    let recorders = [Recorder(.unlimited), Recorder(.unlimited)]
    for recorder in recorders { retried.subscribe(recorder) }
    scheduler.advance(by: .seconds(5))
    #expect(times.value == [0, 0, 1_000, 1_000, 3_000, 3_000])
    for recorder in recorders { #expect(recorder.completions.count == 1) }
  }

  @Test func jitterShortensPausesByChance() {
    let times = Shared<[Int]>([])
    var chances = [0.0, 0.5, 1.0].makeIterator()
    failing(times).retryWithBackoff(
      maxRetries: 3, initialDelay: 1, jitter: 0.5, randomness: { chances.next()! }, scheduler: scheduler
    ).subscribe(Recorder(.unlimited))
    scheduler.advance(by: .seconds(9))
    #expect(times.value == [0, 1_000, 2_500, 4_500])
  }

  @Test func thePredicatePassesAFailureOnAtOnce() {
    let times = Shared<[Int]>([])
    let recorder = Recorder(.unlimited)
    failing(times).retryWithBackoff(maxRetries: 9, initialDelay: 1, scheduler: scheduler) { $0 == .first }
      .subscribe(recorder)
    scheduler.advance(by: .seconds(9))
    #expect(times.value == [0, 1_000])
    #expect(recorder.completions == [.failure(.second)])
  }

  @Test(arguments: [false, true])
  func aValueStartsTheCountAgainIfAsked(resets: Bool) {
    let recorder = Recorder(.unlimited)
    let attempts = Shared(0)
    Deferred {
      attempts.value += 1
      return Just(attempts.value).setFailureType(to: TestFailure.self)
        .append(Fail<Int, TestFailure>(error: .first))
    }.retryWithBackoff(maxRetries: 2, initialDelay: 1, resetsAfterValue: resets, scheduler: scheduler)
      .subscribe(recorder)
    scheduler.advance(by: .seconds(4))
    #expect(recorder.values == (resets ? [1, 2, 3, 4, 5] : [1, 2, 3]))
    #expect(recorder.completions == (resets ? [] : [.failure(.first)]))
    recorder.cancel()
  }

  @Test func carriesDemandOver() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = Recorder(.max(3))
    source.retryWithBackoff(maxRetries: 1, initialDelay: 1, scheduler: scheduler).subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.first))
    recorder.request(.max(2))
    source.subscription = RecordingSubscription()
    scheduler.advance(by: .seconds(1))
    #expect(source.subscription?.history == [.requested(.max(4))])
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.finished])
  }

  @Test func cancellingCancelsAPauseAndLetsGoOfEverything() {
    do {
      let tracked = lifetimes.track()
      let cancellable = Fail<Int, TestFailure>(error: .first)
        .handleEvents(receiveCompletion: { _ in tracked.touch() })
        .retryWithBackoff(maxRetries: 3, scheduler: scheduler)
        .sink(receiveCompletion: { _ in tracked.touch() }, receiveValue: { _ in tracked.touch() })
      #expect(scheduler.waitingCount == 1)
      cancellable.cancel()
    }
    #expect(lifetimes.live == 0)
    scheduler.advance(by: .seconds(9))
    #expect(scheduler.scheduledCount <= 2)
  }

  @Test func aSchedulerThatHeedsNoCancellationDoesNoHarm() {
    let loose = LooseScheduler()
    let times = Shared<[Int]>([])
    let recorder = Recorder(.unlimited)
    failing(times).retryWithBackoff(maxRetries: 3, scheduler: loose).subscribe(recorder)
    recorder.cancel()
    loose.run(0)
    #expect(times.value == [0])
    let other = Recorder(.unlimited)
    failing(times).retryWithBackoff(maxRetries: 3, scheduler: loose).subscribe(other)
    loose.run(1, 1, 1)
    #expect(times.value == [0, 0, 0])
  }

  @Test func manyImmediateRetriesDoNotGrowTheStack() {
    let times = Counter()
    let recorder = Recorder(.unlimited)
    Deferred { () -> Fail<Int, TestFailure> in
      times.add()
      return Fail(error: .first)
    }.retryWithBackoff(maxRetries: 20_000, initialDelay: 0, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    #expect(times.value == 20_001)
    #expect(recorder.completions == [.failure(.first)])
  }

  /// The second commonly copied version lost values, as its pause let the completion overtake them on a concurrent
  /// queue.
  @Test func losesNothingOnAConcurrentQueue() async throws {
    for _ in 0..<25 {
      let attempts = Counter()
      let values = try await Deferred { () -> AnyPublisher<Int, TestFailure> in
        guard attempts.add() == 3 else { return Fail(error: .first).eraseToAnyPublisher() }
        return [1, 2].publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
      }.retryWithBackoff(maxRetries: 4, initialDelay: 0, scheduler: DispatchQueue.global()).collectValues()
      #expect(values == [1, 2])
    }
  }

  @Test func bothPublishedSpellingsCompile() async throws {
    let source = Just(1).setFailureType(to: TestFailure.self)
    let first: AnyPublisher<Int, TestFailure> = source.retryWithBackoff(
      maxRetries: 3, initialDelay: 1.0, maxDelay: 60.0, scheduler: DispatchQueue.main)
    let second: AnyPublisher<Int, TestFailure> = source.retryWithBackoff(maxRetries: 3, initialDelay: 0.5)
    #expect(try await first.firstValue() == 1)
    #expect(try await second.firstValue() == 1)
  }
}
