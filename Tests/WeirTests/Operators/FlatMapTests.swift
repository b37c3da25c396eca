// Tests of flatMap: whom it asks for what and when, what waits, how it ends.

import TestKit
import Testing
import Weir

@Suite struct FlatMapTests {
  typealias Child = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let outer = ScriptedPublisher(of: Child.self, failingWith: TestFailure.self)
  private let first = Child(RecordingSubscription("first"))
  private let second = Child(RecordingSubscription("second"))
  private let recorder = Recorder()

  private func subscribe(_ demand: Subscribers.Demand?, maxPublishers: Subscribers.Demand = .unlimited) {
    recorder.initialDemand = demand
    outer.flatMap(maxPublishers: maxPublishers) { $0 }.subscribe(recorder)
  }

  @Test func flattensSequences() {
    let recorder = RecordingSubscriber(.unlimited, of: Int.self, failingWith: Never.self)
    (1..<4).publisher.flatMap { ($0..<$0 + 3).publisher }.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 2, 3, 4, 3, 4, 5])
    #expect(recorder.completions == [.finished])
  }

  @Test func flattensSequencesOneByOneInOrder() {
    let recorder = RecordingSubscriber(.max(1), perValue: .max(1), of: Int.self, failingWith: Never.self)
    (1..<4).publisher.flatMap(maxPublishers: .max(2)) { ($0..<$0 + 3).publisher }.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 2, 3, 4, 3, 4, 5])
    #expect(recorder.completions == [.finished])
  }

  // MARK: Subscription

  @Test func sendsTheSubscriptionBeforeItSubscribesToTheUpstream() {
    recorder.onSubscription = { [outer] _ in #expect(outer.subscriber == nil) }
    subscribe(nil, maxPublishers: .none)
    #expect(recorder.history == [.subscription("FlatMap")])
    #expect(outer.subscription?.history == [.requested(.none)])
    #expect(outer.subscriber?.description == "FlatMap")
  }

  @Test(arguments: [Subscribers.Demand.unlimited, .max(2)])
  func asksTheUpstreamForAsManyPublishersAsAreAllowed(_ maxPublishers: Subscribers.Demand) {
    subscribe(.max(1), maxPublishers: maxPublishers)
    #expect(outer.subscription?.history == [.requested(maxPublishers)])
    #expect(outer.send(first) == .none)
  }

  @Test func cancelsFurtherSubscriptionsOfTheUpstreamAndOfAChild() {
    subscribe(.unlimited)
    outer.send(first)
    let ofOuter = RecordingSubscription()
    let ofChild = RecordingSubscription()
    outer.send(subscription: ofOuter)
    first.send(subscription: ofChild)
    #expect(ofOuter.history == [.cancelled])
    #expect(ofChild.history == [.cancelled])
    #expect(first.subscriber?.description == "FlatMap")
    recorder.cancel()
    let late = RecordingSubscription()
    outer.send(subscription: late)
    first.send(subscription: late)
    #expect(late.history == [.cancelled, .cancelled])
  }

  @Test func finishesWithoutASubscriptionOfTheUpstream() {
    outer.subscription = nil
    subscribe(.unlimited)
    outer.send(completion: .finished)
    #expect(recorder.history == [.subscription("FlatMap"), .completion(.finished)])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber(Subscribers.Demand.none, of: Int.self, failingWith: Never.self)
      Just(1).flatMap { Just($0) }.subscribe(recorder)
    }
  }

  // MARK: Demand

  @Test func asksEachChildForEverythingIfDemandIsUnlimited() {
    subscribe(.unlimited)
    outer.send(first)
    #expect(first.subscription?.history == [.requested(.unlimited)])
    #expect(first.send(1) == .none)
    #expect(recorder.values == [1])
  }

  @Test func asksEachChildForOneValueAndForAnotherWhenItWasDelivered() {
    subscribe(.max(2))
    outer.send(first)
    outer.send(second)
    #expect(first.send(1) == .max(1))
    #expect(first.send(2) == .max(1))
    #expect(first.send(3) == .none)
    #expect(first.send(4) == .none)
    #expect(recorder.values == [1, 2])
    #expect(first.subscription?.history == [.requested(.max(1))])
    #expect(second.subscription?.history == [.requested(.max(1))])
    recorder.request(.max(10))
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(first.subscription?.history == [.requested(.max(1)), .requested(.max(1)), .requested(.max(1))])
    #expect(second.subscription?.history == [.requested(.max(1))])
  }

  @Test func aChildThatComesBeforeAnyDemandIsAskedForOneValueWhichWaits() {
    subscribe(nil)
    outer.send(first)
    #expect(first.subscription?.history == [.requested(.max(1))])
    #expect(first.send(1) == .none)
    #expect(recorder.values == [])
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    #expect(first.subscription?.history == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func asksTheChildrenForEverythingWhenDemandLosesItsLimit() {
    subscribe(.max(3))
    outer.send(first)
    outer.send(second)
    recorder.request(.unlimited)
    recorder.request(.max(1))
    #expect(first.subscription?.history == [.requested(.max(1)), .requested(.unlimited)])
    #expect(second.subscription?.history == [.requested(.max(1)), .requested(.unlimited)])
  }

  /// Combine leaves the children at one value each here, and the stream stands still.
  @Test func asksTheChildrenForEverythingWhenUnlimitedDemandIsReturned() {
    recorder.demandPerValue = { _ in .unlimited }
    subscribe(.max(1))
    outer.send(first)
    outer.send(second)
    #expect(first.send(1) == .none)
    #expect(first.subscription?.history == [.requested(.max(1)), .requested(.unlimited)])
    #expect(second.subscription?.history == [.requested(.max(1)), .requested(.unlimited)])
    #expect(first.send(2) == .none)
    #expect(recorder.values == [1, 2])
  }

  @Test func aWaitingValueWhoseDeliveryReturnsUnlimitedDemandFreesTheOthersFirst() {
    recorder.demandPerValue = { _ in .unlimited }
    subscribe(nil)
    outer.send(first)
    outer.send(second)
    first.send(1)
    second.send(2)
    first.subscription?.onRequest = { [first, recorder] _ in
      #expect(recorder.values == [1, 2])
      first.send(3)
    }
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(first.subscription?.history == [.requested(.max(1)), .requested(.unlimited)])
    #expect(second.subscription?.history == [.requested(.max(1)), .requested(.unlimited)])
  }

  @Test func returnedDemandIsServedFromWhatWaits() {
    recorder.demandPerValue = { $0 > 0 ? .max($0) : .none }
    subscribe(nil)
    outer.send(first)
    #expect(first.send(2) == .none)
    recorder.request(.max(1))
    #expect(first.send(1) == .max(1))
    #expect(first.send(-1) == .max(1))
    #expect(first.send(-2) == .max(1))
    for value in [-3, -4, 2, -5, -6, -7] { #expect(first.send(value) == .none) }
    #expect(recorder.values == [2, 1, -1, -2])
    // What a child sends when it is asked goes behind what waits.
    first.subscription?.onRequest = { [first] _ in #expect(first.send(-42) == .none) }
    recorder.request(.max(3))
    #expect(recorder.values == [2, 1, -1, -2, -3, -4, 2, -5, -6])
    #expect(first.subscription?.history == Array(repeating: .requested(.max(1)), count: 7))
  }

  // MARK: Limit

  @Test func asksForAnotherPublisherWhenAChildFinishes() {
    subscribe(.unlimited, maxPublishers: .max(2))
    outer.send(first)
    outer.send(second)
    first.send(completion: .finished)
    #expect(outer.subscription?.history == [.requested(.max(2)), .requested(.max(1))])
    first.send(completion: .finished)
    #expect(outer.subscription?.history == [.requested(.max(2)), .requested(.max(1))])
    outer.send(completion: .finished)
    second.send(completion: .finished)
    #expect(outer.subscription?.history == [.requested(.max(2)), .requested(.max(1))])
    #expect(recorder.completions == [.finished])
  }

  @Test func aPlaceIsUsedAgainAndItsFormerChildIsNotHeard() {
    subscribe(.unlimited, maxPublishers: .max(1))
    outer.send(first)
    first.send(1)
    first.send(completion: .finished)
    outer.send(second)
    #expect(first.send(2) == .none)
    first.send(completion: .failure(.first))
    second.send(3)
    #expect(recorder.history == [.subscription("FlatMap"), .value(1), .value(3)])
    #expect(second.subscription?.history == [.requested(.unlimited)])
  }

  @Test func aValueThatWaitsOutlivesItsChildAndAsksNobody() {
    subscribe(nil, maxPublishers: .max(1))
    outer.send(first)
    first.send(1)
    first.send(completion: .finished)
    outer.send(second)
    recorder.request(.max(2))
    #expect(recorder.values == [1])
    #expect(first.subscription?.history == [.requested(.max(1))])
    #expect(second.subscription?.history == [.requested(.max(1))])
  }

  // MARK: Completion

  @Test func finishesWhenTheUpstreamAndAllChildrenHave() {
    subscribe(.unlimited)
    outer.send(first)
    outer.send(second)
    outer.send(completion: .finished)
    first.send(1)
    first.send(completion: .finished)
    second.send(2)
    #expect(recorder.history == [.subscription("FlatMap"), .value(1), .value(2)])
    second.send(completion: .finished)
    second.send(completion: .finished)
    outer.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("FlatMap"), .value(1), .value(2), .completion(.finished)])
    #expect(outer.subscription?.history == [.requested(.unlimited)])
    #expect(first.subscription?.history == [.requested(.unlimited)])
  }

  @Test func finishesWithTheUpstreamIfItOutlivesTheChildren() {
    subscribe(.unlimited)
    outer.send(first)
    first.send(completion: .finished)
    #expect(recorder.completions == [])
    outer.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func waitsForAChildWhoseSubscriptionIsPending() {
    subscribe(.unlimited)
    first.subscription = nil
    outer.send(first)
    outer.send(completion: .finished)
    #expect(recorder.completions == [])
    let subscription = RecordingSubscription()
    first.send(subscription: subscription)
    first.send(7)
    first.send(completion: .finished)
    #expect(subscription.history == [.requested(.unlimited)])
    #expect(recorder.history == [.subscription("FlatMap"), .value(7), .completion(.finished)])
  }

  @Test func doesNotFinishWhileValuesWait() {
    subscribe(.max(1))
    outer.send(first)
    first.send(1)
    first.send(2)
    outer.send(completion: .finished)
    first.send(completion: .finished)
    #expect(recorder.history == [.subscription("FlatMap"), .value(1)])
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("FlatMap"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func failsWithTheUpstreamAfterItHasCancelledTheChildren() {
    recorder.onCompletion = { [first] _ in
      #expect(first.subscription?.history == [.requested(.max(1)), .cancelled])
    }
    subscribe(.max(4), maxPublishers: .max(3))
    outer.send(first)
    outer.send(completion: .failure(.first))
    outer.send(completion: .failure(.second))
    outer.send(second)
    #expect(second.subscriber == nil)
    #expect(recorder.history == [.subscription("FlatMap"), .completion(.failure(.first))])
    #expect(first.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(outer.subscription?.history == [.requested(.max(3))])
  }

  /// In Combine's way: the upstream runs on for nobody.
  @Test func failsWithAChildAfterItHasCancelledTheOthersAndNotTheUpstream() {
    subscribe(.unlimited)
    outer.send(first)
    outer.send(second)
    second.send(completion: .failure(.second))
    first.send(completion: .failure(.first))
    #expect(first.send(1) == .none)
    #expect(first.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(second.subscription?.history == [.requested(.unlimited)])
    let third = Child()
    #expect(outer.send(third) == .none)
    #expect(third.subscriber == nil)
    recorder.cancel()
    outer.send(completion: .finished)
    #expect(outer.subscription?.history == [.requested(.unlimited)])
    #expect(recorder.history == [.subscription("FlatMap"), .completion(.failure(.second))])
  }

  @Test func aFailureDropsTheValuesThatWait() {
    subscribe(.max(1))
    outer.send(first)
    first.send(1)
    first.send(2)
    outer.send(completion: .failure(.first))
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("FlatMap"), .value(1), .completion(.failure(.first))])
  }

  // MARK: Cancellation

  @Test func cancelsTheChildrenAndThenTheUpstreamOnce() {
    subscribe(.max(42))
    outer.send(first)
    outer.send(second)
    outer.subscription?.onCancel = { [first, second] in
      #expect(first.subscription?.history == [.requested(.max(1)), .cancelled])
      #expect(second.subscription?.history == [.requested(.max(1)), .cancelled])
    }
    recorder.cancel()
    recorder.request(.unlimited)
    recorder.cancel()
    #expect(outer.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(first.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(first.send(1) == .none)
    outer.send(Child())
    outer.send(completion: .finished)
    #expect(recorder.history == [.subscription("FlatMap")])
  }

  @Test func doesNotTransformAValueThatComesAfterTheEnd() {
    var transformed = 0
    let source = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let recorder = RecordingSubscriber(.unlimited, of: Int.self, failingWith: Never.self)
    source.flatMap { value -> Just<Int> in
      transformed += 1
      return Just(value)
    }.subscribe(recorder)
    source.send(1)
    recorder.cancel()
    source.send(2)
    #expect(transformed == 1)
    #expect(recorder.values == [1])
  }

  // MARK: Re-entrance

  @Test func acceptsAValueOfAChildWithinADelivery() {
    recorder.onValue = { [second] in if $0 == 1 { #expect(second.send(2) == .max(1)) } }
    subscribe(.max(2))
    outer.send(first)
    outer.send(second)
    #expect(first.send(1) == .max(1))
    #expect(recorder.values == [1, 2])
    #expect(first.subscription?.history == [.requested(.max(1))])
    #expect(second.subscription?.history == [.requested(.max(1))])
  }

  @Test func acceptsAValueWhileItSubscribesToAChild() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber(.unlimited, of: Int.self, failingWith: Never.self)
    subject.flatMap(maxPublishers: .max(2)) { Just($0) }.subscribe(recorder)
    for value in 1...5 { subject.send(value) }
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  @Test func aRequestWithinADeliveryIsServedByThatDelivery() {
    recorder.onValue = { [recorder] in if $0 == 0 { recorder.request(.max(3)) } }
    subscribe(.max(1), maxPublishers: .max(1))
    outer.send(first)
    for value in 0...3 { #expect(first.send(value) == .max(1)) }
    for value in 4...6 { #expect(first.send(value) == .none) }
    #expect(recorder.values == [0, 1, 2, 3])
    #expect(first.subscription?.history == [.requested(.max(1))])
    recorder.request(.max(10))
    #expect(recorder.values == [0, 1, 2, 3, 4, 5, 6])
    #expect(first.subscription?.history == Array(repeating: .requested(.max(1)), count: 4))
  }

  @Test func aRequestWithinADeliveryDoesNotRecurse() {
    let depth = Shared(0)
    recorder.onValue = { [recorder] _ in
      depth.value += 1
      #expect(depth.value == 1)
      recorder.request(.max(1))
      depth.value -= 1
    }
    subscribe(nil)
    outer.send(first)
    for value in 0..<10_000 { first.send(value) }
    recorder.request(.max(1))
    #expect(recorder.values == Array(0..<10_000))
  }

  @Test func acceptsTheEndOfAChildWhileItAsksForAnotherPublisher() {
    outer.subscription?.onRequest = { [first] _ in first.subscriber?.receive(completion: .finished) }
    subscribe(nil, maxPublishers: .max(1))
    outer.send(first)
    first.send(completion: .finished)
    #expect(outer.subscription?.history == [.requested(.max(1)), .requested(.max(1))])
    #expect(recorder.history == [.subscription("FlatMap")])
  }

  /// Combine traps here.
  @Test func aFailureFromWithinACancellationIsNotDelivered() {
    subscribe(.unlimited)
    outer.send(first)
    first.subscription?.onCancel = { [outer] in outer.send(completion: .failure(.second)) }
    outer.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("FlatMap"), .completion(.failure(.first))])
  }

  @Test func cancelsWithinADelivery() {
    recorder.onValue = { [recorder] in if $0 == 2 { recorder.cancel() } }
    subscribe(nil)
    outer.send(first)
    for value in 1...4 { first.send(value) }
    recorder.request(.max(10))
    #expect(recorder.history == [.subscription("FlatMap"), .value(1), .value(2)])
    #expect(outer.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func aValueThatIsFreedAtTheEndMayComeBack() {
    final class Talkative {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let child = ScriptedPublisher(of: Talkative.self, failingWith: TestFailure.self)
    let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Talkative, TestFailure>()
    source.flatMap { _ in child }.subscribe(recorder)
    source.send(0)
    var freed = 0
    for _ in 0..<100 {
      child.send(
        Talkative { [unowned recorder] in
          freed += 1
          child.send(Talkative {})
          recorder.request(.max(1))
          source.send(freed)
        })
    }
    recorder.cancel()
    #expect(freed == 100)
    #expect(recorder.history.count == 1)
  }

  // MARK: Kinds of errors

  @Test func childrenAndUpstreamMayDifferInTheirErrors() {
    let never = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let failing = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorders = [Recorder(.unlimited), Recorder(.unlimited)]
    never.flatMap { _ in failing }.subscribe(recorders[0])
    never.send(0)
    failing.send(1)
    failing.send(completion: .failure(.first))
    failing.flatMap { Just($0) }.subscribe(recorders[1])
    failing.send(2)
    failing.send(completion: .failure(.second))
    #expect(recorders[0].history == [.subscription("FlatMap"), .value(1), .completion(.failure(.first))])
    #expect(recorders[1].history == [.subscription("FlatMap"), .value(2), .completion(.failure(.second))])
  }

  /// The request to the stream of the value was forgotten, as the end of the other one asked for a further stream.
  @Test func whatAFreedValueEndsTakesNoRequestAway() {
    final class Talkative {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let outer = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let inner = (0..<2).map { _ in ScriptedPublisher(of: Talkative.self, failingWith: TestFailure.self) }
    let recorder = RecordingSubscriber<Int, TestFailure>()
    outer.flatMap(maxPublishers: .max(2)) { inner[$0] }.map { _ in 7 }.subscribe(recorder)
    outer.send(0)
    outer.send(1)
    inner[0].send(Talkative { inner[1].send(completion: .finished) })
    recorder.request(.max(1))
    #expect(recorder.values == [7])
    #expect(inner[0].subscription?.history == [.requested(.max(1)), .requested(.max(1))])
    #expect(outer.subscription?.history == [.requested(.max(2)), .requested(.max(1))])
    recorder.cancel()
  }
}
