// Tests of retry: as many attempts as allowed, in a loop, with the demand that is left.

import TestKit
import Testing
import Weir

@Suite struct RetryTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = Source()
  private let recorder = Recorder(.max(1))
  private var upstream: RecordingSubscription { source.subscription! }

  /// Calls back with the number of each subscription, before and after it.
  private final class Eager: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure
    let source: Source
    var count = 0
    var before: (Int) -> Void = { _ in }
    var after: (Int) -> Void = { _ in }

    init(_ source: Source) { self.source = source }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      count += 1
      before(count)
      source.receive(subscriber: subscriber)
      after(count)
    }
  }

  /// Fails as soon as it is subscribed to.
  private final class Failing: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure
    var count = 0

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      count += 1
      Fail(error: .first).receive(subscriber: subscriber)
    }
  }

  @Test func subscribesAgainAndAsksForWhatIsLeft() {
    recorder.initialDemand = .max(5)
    let upstream = Eager(source)
    upstream.retry(3).subscribe(recorder)
    #expect(source.subscriber?.description == "Retry")
    for attempt in 1...4 {
      #expect(upstream.count == attempt)
      #expect(source.send(attempt) == .none)
      source.send(completion: .failure(attempt == 4 ? .second : .first))
    }
    #expect(source.send(5) == .none)
    source.send(completion: .failure(.first))
    recorder.request(.max(112))
    #expect(upstream.count == 4)
    #expect(
      recorder.history == [
        .subscription("Retry"), .value(1), .value(2), .value(3), .value(4), .completion(.failure(.second)),
      ])
    #expect(self.upstream.history == [5, 4, 3, 2].map { .requested(.max($0)) })
  }

  @Test func withoutAttemptsAFailureIsPassedOn() {
    source.retry(0).subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.first))
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("Retry"), .value(1), .completion(.failure(.first))])
    #expect(upstream.history == [.requested(.max(1))])
  }

  @Test(arguments: [nil, -1]) func triesForEver(_ retries: Int?) {
    let upstream = Eager(source)
    Publishers.Retry(upstream: upstream, retries: retries).subscribe(recorder)
    for _ in 0..<10_000 { source.send(completion: .failure(.first)) }
    #expect(source.send(0) == .none)
    #expect(recorder.history == [.subscription("Retry"), .value(0)])
    #expect(self.upstream.history == Array(repeating: .requested(.max(1)), count: 10_001))
    #expect(upstream.count == 10_001)
  }

  @Test func aFinishEndsIt() {
    recorder.initialDemand = .max(4)
    source.retry(3).subscribe(recorder)
    for value in 1...2 { source.send(value) }
    source.send(completion: .failure(.first))
    for value in 3...4 { source.send(value) }
    source.send(completion: .finished)
    source.send(completion: .failure(.first))
    #expect(
      recorder.history == [
        .subscription("Retry"), .value(1), .value(2), .value(3), .value(4), .completion(.finished),
      ])
    #expect(upstream.history == [.requested(.max(4)), .requested(.max(2))])
  }

  @Test func thoseOfEqualPublishersAreEqual() {
    let retry = Publishers.Retry(upstream: Just(1), retries: 2)
    #expect(retry == Publishers.Retry(upstream: Just(1), retries: 2))
    #expect(retry != Publishers.Retry(upstream: Just(1), retries: nil))
  }

  // MARK: Demand

  @Test func returnedDemandIsARequestAndNeverAnAnswer() {
    source.subscription = nil
    recorder.initialDemand = .max(3)
    recorder.demandPerValue = { .max($0) }
    source.retry(5).subscribe(recorder)
    #expect(recorder.history == [])
    let subscription = RecordingSubscription()
    source.send(subscription: subscription)
    #expect(subscription.history == [.requested(.max(3))])
    #expect(source.send(5) == .none)
    #expect(subscription.history == [.requested(.max(3)), .requested(.max(5))])
  }

  @Test func demandBetweenTwoAttemptsWaits() {
    source.retry(5).subscribe(recorder)
    source.subscription = nil
    source.send(completion: .failure(.first))
    recorder.request(.max(6))
    let subscription = RecordingSubscription()
    source.send(subscription: subscription)
    #expect(subscription.history == [.requested(.max(7))])
  }

  @Test func aValueBetweenTwoAttemptsCounts() {
    recorder.initialDemand = .max(3)
    recorder.demandPerValue = { _ in .max(2) }
    let upstream = Eager(source)
    upstream.before = { [source] in if $0 > 1 { #expect(source.send(1) == .none) } }
    upstream.retry(1).subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("Retry"), .value(1)])
    #expect(self.upstream.history == [.requested(.max(3)), .requested(.max(4))])
  }

  @Test func trapsWhenItReceivesAValueItHasNotAskedFor() async {
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(of: Int.self, failingWith: Never.self)
      source.retry(2).subscribe(RecordingSubscriber(of: Int.self, failingWith: Never.self))
      source.send(-1)
    }
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(nil, of: Int.self, failingWith: Never.self)
      source.retry(3).subscribe(RecordingSubscriber(of: Int.self, failingWith: Never.self))
      source.send(31)
    }
  }

  @Test func aDemandForNothingIsPassedOn() {
    recorder.initialDemand = .max(0)
    source.retry(2).subscribe(recorder)
    #expect(upstream.history == [.requested(.none)])
  }

  // MARK: Stack

  @Test func attemptsThatFailAtOnceAreALoop() {
    let upstream = Eager(source)
    upstream.after = { [source] in if (2..<11).contains($0) { source.send(completion: .failure(.first)) } }
    upstream.retry(5).subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("Retry"), .completion(.failure(.first))])
    #expect(self.upstream.history == Array(repeating: .requested(.max(1)), count: 6))
    #expect(upstream.count == 6)
  }

  @Test func anAttemptThatFinishesAtOnceEndsTheLoop() {
    let upstream = Eager(source)
    upstream.after = { [source] in
      if $0 > 1 { source.send(completion: $0 < 6 ? .failure(.first) : .finished) }
    }
    upstream.retry(5).subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("Retry"), .completion(.finished)])
    #expect(upstream.count == 6)
  }

  @Test func aHundredThousandAttemptsThatFailAtOnceFitOnTheStack() {
    let upstream = Failing()
    upstream.retry(100_000).subscribe(recorder)
    #expect(upstream.count == 100_001)
    #expect(recorder.history == [.subscription("Retry"), .completion(.failure(.first))])
  }

  @Test func cancellingEndsTheLoop() {
    let upstream = Eager(source)
    upstream.after = { [source, recorder] in
      if $0 == 50 { recorder.cancel() }
      if $0 > 1 { source.send(completion: .failure(.first)) }
    }
    Publishers.Retry(upstream: upstream, retries: nil).subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(upstream.count == 50)
    #expect(recorder.history == [.subscription("Retry")])
  }

  // MARK: Life

  @Test func takesACompletionBeforeTheSubscription() {
    source.subscription = nil
    source.retry(3).subscribe(recorder)
    source.send(completion: .finished)
    #expect(recorder.history == [.completion(.finished)])
    let late = RecordingSubscription()
    source.send(subscription: late)
    #expect(late.history == [.cancelled])
  }

  @Test func cancelsBetweenTwoAttempts() {
    source.retry(3).subscribe(recorder)
    source.subscription = nil
    source.send(completion: .failure(.first))
    recorder.cancel()
    let subscription = RecordingSubscription()
    source.send(subscription: subscription)
    #expect(subscription.history == [.cancelled])
  }

  @Test func freesTheUpstreamWhenCancelled() {
    weak var freed: Eager?
    do {
      let upstream = Eager(source)
      freed = upstream
      upstream.retry(3).subscribe(recorder)
    }
    #expect(freed != nil)
    recorder.cancel()
    #expect(freed == nil)
  }
}
