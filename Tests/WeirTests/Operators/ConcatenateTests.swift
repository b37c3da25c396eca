// Tests of append and prepend: one stream after another, and the demand that goes along.

import TestKit
import Testing
import Weir

@Suite struct ConcatenateTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let prefix = Source()
  private let suffix = Source()
  private let recorder = Recorder(.max(10))

  init() { recorder.demandPerValue = { .max($0) } }

  @Test func theSecondStreamComesWhenTheFirstHasFinished() {
    prefix.append(suffix).subscribe(recorder)
    #expect(suffix.subscriber == nil)
    for value in 1...3 { #expect(prefix.send(value) == .max(value)) }
    #expect(recorder.history == [.subscription("Concatenate"), .value(1), .value(2), .value(3)])
    prefix.send(completion: .finished)
    #expect(prefix.send(4000) == .none)
    #expect(suffix.send(5) == .max(5))
    suffix.send(completion: .finished)
    suffix.send(completion: .failure(.first))
    #expect(prefix.send(6000) == .none)
    #expect(suffix.send(7) == .none)
    #expect(
      recorder.history == [
        .subscription("Concatenate"), .value(1), .value(2), .value(3), .value(5), .completion(.finished),
      ])
    #expect(prefix.subscription?.history == [.requested(.max(10))])
    #expect(suffix.subscription?.history == [.requested(.max(13))])
    let late = RecordingSubscription()
    suffix.send(subscription: late)
    #expect(late.history == [.cancelled])
  }

  @Test func theOverloadsMakeSequences() {
    #expect(prefix.append(2, 3, 5).suffix.sequence == [2, 3, 5])
    #expect(prefix.append(4..<6).suffix.sequence == 4..<6)
    #expect(prefix.prepend(7, 5, 3).prefix.sequence == [7, 5, 3])
    #expect(prefix.prepend(CollectionOfOne(42)).prefix.sequence.first == 42)
    #expect(prefix.prepend(suffix).prefix === suffix)
  }

  @Test func sequencesFollowEachOther() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    (1...3).publisher.eraseToAnyPublisher().append(10, 11).append([20]).prepend(0..<1).prepend(-2, -1)
      .subscribe(recorder)
    #expect(recorder.values == [-2, -1, 0, 1, 2, 3, 10, 11, 20])
    #expect(recorder.completions == [.finished])
  }

  @Test func thoseOfEqualPublishersAreEqual() {
    #expect(Just(1).append(Just(2)) == Publishers.Concatenate(prefix: Just(1), suffix: Just(2)))
    #expect(Just(1).append(Just(2)) != Just(2).prepend(Just(3)))
  }

  @Test func aFailureOfTheFirstStreamEndsIt() {
    prefix.append(suffix).subscribe(recorder)
    prefix.send(completion: .failure(.first))
    #expect(prefix.send(2) == .none)
    #expect(suffix.subscriber == nil)
    #expect(recorder.history == [.subscription("Concatenate"), .completion(.failure(.first))])
    #expect(prefix.subscription?.history == [.requested(.max(10))])
  }

  @Test func aFailureOfTheSecondStreamEndsIt() {
    prefix.append(suffix).subscribe(recorder)
    prefix.send(completion: .finished)
    suffix.send(completion: .failure(.second))
    #expect(recorder.history == [.subscription("Concatenate"), .completion(.failure(.second))])
  }

  // MARK: Demand

  @Test func whatIsLeftGoesToTheSecondStreamInOneRequest() {
    let suffix = Source(nil)
    prefix.append(suffix).subscribe(recorder)
    recorder.request(.none)
    #expect(prefix.send(3) == .max(3))
    prefix.send(completion: .finished)
    // Between the streams demand waits.
    recorder.request(.max(7))
    #expect(prefix.subscription?.history == [.requested(.max(10)), .requested(.none)])
    let subscription = RecordingSubscription()
    suffix.send(subscription: subscription)
    #expect(subscription.history == [.requested(.max(19))])
    recorder.request(.unlimited)
    #expect(subscription.history == [.requested(.max(19)), .requested(.unlimited)])
    suffix.send(completion: .finished)
    recorder.request(.max(42))
    #expect(subscription.history == [.requested(.max(19)), .requested(.unlimited)])
    #expect(prefix.subscription?.history == [.requested(.max(10)), .requested(.none)])
  }

  @Test func theSecondStreamIsNotAskedForNothing() {
    recorder.initialDemand = nil
    prefix.append(suffix).subscribe(recorder)
    prefix.send(completion: .finished)
    #expect(suffix.subscription?.history == [])
    recorder.request(.max(2))
    #expect(suffix.subscription?.history == [.requested(.max(2))])
  }

  @Test func unlimitedDemandIsCarriedOver() {
    recorder.initialDemand = .unlimited
    prefix.append(suffix).subscribe(recorder)
    for value in 1...3 { prefix.send(value) }
    prefix.send(completion: .finished)
    #expect(suffix.subscription?.history == [.requested(.unlimited)])
  }

  @Test func aValueWithoutDemandIsDropped() {
    recorder.initialDemand = .max(3)
    recorder.demandPerValue = { _ in .none }
    prefix.append(suffix).subscribe(recorder)
    recorder.onValue = { [prefix] in if $0 < 10 { #expect(prefix.send($0 + 1) == .none) } }
    #expect(prefix.send(1) == .none)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func demandThatIsReturnedAfterTheChangeGoesToTheSecondStream() {
    prefix.append(suffix).subscribe(recorder)
    recorder.demandPerValue = { _ in .max(4) }
    recorder.onValue = { [prefix] _ in prefix.send(completion: .finished) }
    #expect(prefix.send(1) == .none)
    #expect(suffix.subscription?.history == [.requested(.max(9)), .requested(.max(4))])
  }

  // MARK: Life

  @Test func ignoresWhatComesBeforeTheSubscription() {
    prefix.subscription = nil
    prefix.append(1, 2, 3).subscribe(recorder)
    #expect(prefix.send(12) == .none)
    prefix.send(completion: .finished)
    #expect(recorder.history == [])
    suffix.subscription = nil
    suffix.prepend(Empty()).subscribe(recorder)
    #expect(suffix.send(12) == .none)
    suffix.send(completion: .finished)
    #expect(recorder.history == [.subscription("Concatenate")])
  }

  @Test func cancelsTheStreamOfTheMoment() {
    prefix.append(suffix).subscribe(recorder)
    prefix.send(completion: .finished)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(suffix.send(1) == .none)
    suffix.send(completion: .finished)
    #expect(suffix.subscription?.history == [.requested(.max(10)), .cancelled])
    #expect(prefix.subscription?.history == [.requested(.max(10))])
    #expect(recorder.history == [.subscription("Concatenate")])
  }

  @Test func cancelsBetweenTheStreams() {
    let suffix = Source(nil)
    prefix.append(suffix).subscribe(recorder)
    prefix.send(completion: .finished)
    recorder.cancel()
    let subscription = RecordingSubscription()
    suffix.send(subscription: subscription)
    suffix.send(1)
    #expect(subscription.history == [.cancelled])
    #expect(recorder.history == [.subscription("Concatenate")])
  }

  @Test func freesTheSecondStreamWhenCancelled() {
    weak var freed: Source?
    do {
      let suffix = Source()
      freed = suffix
      prefix.append(suffix).subscribe(recorder)
    }
    #expect(freed != nil)
    recorder.cancel()
    #expect(freed == nil)
  }

  @Test func bothSubscribersAreTheSubscription() {
    prefix.append(suffix).subscribe(recorder)
    prefix.send(completion: .finished)
    for source in [prefix, suffix] {
      #expect(source.subscriber?.combineIdentifier == recorder.subscriptions[0].combineIdentifier)
      #expect(source.subscriber?.description == "Concatenate")
    }
  }
}
