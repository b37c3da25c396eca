// Tests of prefix(untilOutputFrom:): the other stream's first value ends it, and nothing else of it does.

import TestKit
import Testing
import Weir

@Suite struct PrefixUntilOutputTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = Source()
  private let other = ScriptedPublisher(of: String.self, failingWith: TestFailure.self)
  private let recorder = Recorder(.max(3), perValue: .max(2))
  private var upstream: RecordingSubscription { source.subscription! }

  @Test func publishesUntilTheOtherDoes() {
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(other.subscription?.history == [.requested(.max(1))])
    for value in 1...2 { #expect(source.send(value) == .max(2)) }
    recorder.onCompletion = { [upstream] _ in
      #expect(upstream.history == [.requested(.max(3)), .cancelled])
    }
    #expect(other.send("end") == .none)
    #expect(source.send(3) == .none)
    #expect(other.send("late") == .none)
    source.send(completion: .failure(.first))
    recorder.request(.max(1))
    recorder.cancel()
    #expect(
      recorder.history == [
        .subscription("PrefixUntilOutput"), .value(1), .value(2), .completion(.finished),
      ])
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
    #expect(other.subscription?.history == [.requested(.max(1))])
    #expect(source.subscriber?.combineIdentifier == other.subscriber?.combineIdentifier)
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func theOthersEndChangesNothing(_ completion: Subscribers.Completion<TestFailure>) {
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    other.send(completion: completion)
    #expect(other.send("late") == .none)
    other.send(completion: .finished)
    let late = RecordingSubscription()
    other.send(subscription: late)
    #expect(source.send(1) == .max(2))
    #expect(recorder.history == [.subscription("PrefixUntilOutput"), .value(1)])
    #expect(upstream.history == [.requested(.max(3))])
    #expect(other.subscription?.history == [.requested(.max(1))])
    #expect(late.history == [.cancelled])
  }

  @Test func operatorsThatWaitForASubscriptionDoNotSeeAnEndAtOnce() {
    let ended = Empty<Int, TestFailure>(completeImmediately: false).prefix(untilOutputFrom: Just("now"))
    let direct = Recorder()
    ended.subscribe(direct)
    #expect(direct.history == [.completion(.finished)])
    let appended = Recorder()
    ended.append(1).subscribe(appended)
    #expect(!appended.history.contains(.completion(.finished)))
    let replaced = Recorder()
    ended.replaceEmpty(with: 1).subscribe(replaced)
    #expect(!replaced.history.contains(.completion(.finished)))
    let merged = Recorder(.unlimited)
    Just("now").setFailureType(to: TestFailure.self).map { _ in 0 }
      .merge(with: Empty<Int, TestFailure>(completeImmediately: false)).first().subscribe(merged)
    #expect(merged.history.suffix(2) == [.value(0), .completion(.finished)])
  }

  @Test func theEndOfTheStreamCancelsTheOther() {
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    recorder.onCompletion = { [other] _ in
      #expect(other.subscription?.history == [.requested(.max(1)), .cancelled])
    }
    source.send(completion: .finished)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("PrefixUntilOutput"), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(3))])
  }

  @Test func passesOnADemandForNothing() {
    recorder.initialDemand = Subscribers.Demand.none
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(upstream.history == [.requested(.none)])
  }

  // MARK: Before the subscription

  @Test func theOthersValueBeforeTheSubscriptionEndsTheStreamWithoutOne() {
    source.subscription = nil
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(recorder.history == [])
    other.send("end")
    #expect(recorder.history == [.completion(.finished)])
    let late = RecordingSubscription()
    source.send(subscription: late)
    #expect(late.history == [.cancelled])
    #expect(recorder.history == [.completion(.finished)])
  }

  @Test func aSinkEndsThoughTheOtherPublishesAtOnce() {
    var ended = 0
    let sink = Just(1).prefix(untilOutputFrom: Just(2)).sink(
      receiveCompletion: { _ in ended += 1 }, receiveValue: { _ in })
    #expect(ended == 1)
    withExtendedLifetime(sink) {}
  }

  @Test func ignoresWhatElseComesBeforeTheSubscription() {
    source.subscription = nil
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(source.send(31) == .none)
    source.send(completion: .finished)
    #expect(recorder.history == [])
    #expect(other.subscription?.history == [.requested(.max(1)), .cancelled])
  }

  @Test func ignoresTheOthersSignalsBeforeItsSubscription() {
    other.subscription = nil
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(other.send("early") == .none)
    #expect(recorder.history == [.subscription("PrefixUntilOutput")])
    #expect(upstream.history == [.requested(.max(3))])
  }

  // MARK: Life

  @Test func cancelsTheStreamAndThenTheOther() {
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    other.subscription?.onCancel = { [upstream] in
      #expect(upstream.history == [.requested(.max(3)), .cancelled])
    }
    recorder.cancel()
    recorder.request(.max(42))
    recorder.cancel()
    other.send("late")
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
    #expect(other.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(recorder.history == [.subscription("PrefixUntilOutput")])
  }

  @Test func cancelsFurtherSubscriptions() {
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    let further = [RecordingSubscription(), RecordingSubscription()]
    source.send(subscription: further[0])
    other.send(subscription: further[1])
    #expect(further.map(\.history) == [[.cancelled], [.cancelled]])
  }

  @Test func theOtherMayPublishWithinADelivery() {
    let subject = PassthroughSubject<Int, TestFailure>()
    recorder.initialDemand = .unlimited
    subject.prefix(untilOutputFrom: other).subscribe(recorder)
    recorder.onValue = { [other] in if $0 == 2 { other.send("end") } }
    for value in 1...3 { subject.send(value) }
    #expect(
      recorder.history == [
        .subscription("PrefixUntilOutput"), .value(1), .value(2), .completion(.finished),
      ])
  }
}
