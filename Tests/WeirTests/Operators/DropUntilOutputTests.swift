// Tests of drop(untilOutputFrom:): what is dropped, whose demand that uses up, and how the other stream ends it.

import TestKit
import Testing
import Weir

@Suite struct DropUntilOutputTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = Source()
  private let other = ScriptedPublisher(of: String.self, failingWith: TestFailure.self)
  private let recorder = Recorder(.max(4))
  private var upstream: RecordingSubscription { source.subscription! }

  @Test func dropsValuesAndTheDemandForThemUntilTheOtherPublishes() {
    recorder.initialDemand = nil
    recorder.demandPerValue = { .max($0) }
    source.drop(untilOutputFrom: other).subscribe(recorder)
    #expect(upstream.history == [])
    #expect(other.subscription?.history == [.requested(.max(1))])
    recorder.request(.max(4))
    for value in 1...2 { #expect(source.send(value) == .none) }
    #expect(other.send("now") == .none)
    for value in 3...7 { #expect(source.send(value) == .max(value)) }
    #expect(recorder.history == [.subscription("DropUntilOutput")] + (3...7).map { .value($0) })
    #expect(upstream.history == [.requested(.max(4))])
    #expect(other.subscription?.history == [.requested(.max(1))])
    source.send(completion: .failure(.second))
    #expect(recorder.completions == [.failure(.second)])
  }

  @Test func thoseOfEqualPublishersAreEqual() {
    #expect(
      Just(1).drop(untilOutputFrom: Just(2)) == Publishers.DropUntilOutput(upstream: Just(1), other: Just(2)))
    #expect(Just(1).drop(untilOutputFrom: Just(2)) != Just(1).drop(untilOutputFrom: Just(3)))
  }

  // MARK: Subscription

  @Test func subscribesToTheOtherFirst() {
    var order: [String] = []
    recorder.onSubscription = { [source, other] _ in
      order.append("downstream")
      #expect(source.subscriber == nil && other.subscriber == nil)
    }
    other.subscription?.onRequest = { [source] _ in
      order.append("other")
      #expect(source.subscriber == nil)
    }
    upstream.onRequest = { _ in order.append("upstream") }
    source.drop(untilOutputFrom: other).subscribe(recorder)
    #expect(order == ["downstream", "other", "upstream"])
    #expect(source.subscriber?.combineIdentifier == other.subscriber?.combineIdentifier)
    #expect(source.subscriber?.description == "DropUntilOutput")
    #expect(other.subscriber?.description == "DropUntilOutput")
  }

  @Test func demandBeforeTheSubscriptionIsAskedForInOneRequest() {
    source.subscription = nil
    recorder.onSubscription = {
      $0.request(.max(6))
      $0.request(.none)
    }
    source.drop(untilOutputFrom: other).subscribe(recorder)
    let subscription = RecordingSubscription()
    source.send(subscription: subscription)
    #expect(subscription.history == [.requested(.max(10))])
    recorder.request(.none)
    #expect(subscription.history == [.requested(.max(10)), .requested(.none)])
  }

  @Test func cancelsFurtherSubscriptions() {
    source.drop(untilOutputFrom: other).subscribe(recorder)
    let further = (0..<3).map { RecordingSubscription("\($0)") }
    source.send(subscription: further[0])
    other.send(subscription: further[1])
    #expect(further[0].history == [.cancelled])
    #expect(further[1].history == [.cancelled])
    // As in Combine, there may be another one after the first value.
    other.send("now")
    other.send(subscription: further[2])
    #expect(further[2].history == [.requested(.max(1))])
    recorder.cancel()
    #expect(further[2].history == [.requested(.max(1)), .cancelled])
    #expect(other.subscription?.history == [.requested(.max(1))])
  }

  // MARK: The other stream's end

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func endsIfTheOtherEndsFirst(_ completion: Subscribers.Completion<TestFailure>) {
    source.drop(untilOutputFrom: other).subscribe(recorder)
    source.send(1)
    other.send(completion: completion)
    // Combine passes on each of these completions.
    other.send(completion: .finished)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("DropUntilOutput"), .completion(completion)])
    #expect(upstream.history == [.requested(.max(4)), .cancelled])
    #expect(other.subscription?.history == [.requested(.max(1))])
    source.send(2)
    other.send("late")
    source.send(3)
    #expect(recorder.history.count == 2)
  }

  @Test func endsIfTheOtherEndsBeforeTheSubscription() {
    source.subscription = nil
    source.drop(untilOutputFrom: Empty<String, TestFailure>()).subscribe(recorder)
    #expect(recorder.history == [.subscription("DropUntilOutput"), .completion(.finished)])
    let late = RecordingSubscription()
    source.send(subscription: late)
    #expect(late.history == [.cancelled])
  }

  @Test func theOthersEndAfterItsValueChangesNothing() {
    source.drop(untilOutputFrom: other).subscribe(recorder)
    other.send("now")
    other.send(completion: .failure(.first))
    other.send(completion: .finished)
    source.send(2)
    #expect(recorder.history == [.subscription("DropUntilOutput"), .value(2)])
    #expect(upstream.history == [.requested(.max(4))])
  }

  // MARK: Life

  @Test func cancelsTheStreamAndThenTheOther() {
    source.drop(untilOutputFrom: other).subscribe(recorder)
    upstream.onCancel = { [other] in #expect(other.subscription?.history == [.requested(.max(1))]) }
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(10))
    #expect(source.send(1000) == .none)
    source.send(completion: .finished)
    #expect(upstream.history == [.requested(.max(4)), .cancelled])
    #expect(other.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(recorder.history == [.subscription("DropUntilOutput")])
  }

  @Test func anEndBeforeTheFirstValueCancelsTheOther() {
    source.drop(untilOutputFrom: other).subscribe(recorder)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("DropUntilOutput"), .completion(.finished)])
    #expect(other.subscription?.history == [.requested(.max(1)), .cancelled])
  }

  @Test func trapsWhenItReceivesAValueItHasNotAskedFor() async {
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(of: Int.self, failingWith: Never.self)
      source.drop(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
        .subscribe(RecordingSubscriber(of: Int.self, failingWith: Never.self))
      source.send(0)
    }
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(nil, of: Int.self, failingWith: Never.self)
      source.drop(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
        .subscribe(RecordingSubscriber(of: Int.self, failingWith: Never.self))
      source.send(0)
    }
  }

  @Test func theOtherMayPublishWithinADelivery() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    subject.drop(untilOutputFrom: subject.filter { $0 == 3 }).subscribe(recorder)
    for value in 1...5 { subject.send(value) }
    #expect(recorder.values == [3, 4, 5])
  }
}
