// Tests of the erased end of a chain.

import TestKit
import Testing

@testable import Weir

@Suite struct ErasedSubscriberTests {
  @Test func callsTheSubscriber() {
    let subscriber = RecordingSubscriber(.max(1), perValue: .max(2), of: Int.self, failingWith: TestFailure.self)
    let erased = ErasedSubscriber.of(subscriber)
    let subscription = RecordingSubscription()
    erased.receiveSubscription(subscription)
    #expect(erased.receiveValue(3) == .max(2))
    erased.receiveCompletion(.failure(.first))
    #expect(
      subscriber.history == [.subscription("RecordingSubscription"), .value(3), .completion(.failure(.first))])
    #expect(subscription.history == [.requested(.max(1))])
    #expect(erased.hidden() as? RecordingSubscriber<Int, TestFailure> === subscriber)
  }

  @Test func aSubscriberThatIsMadeForItIsNotWrapped() async {
    let puller = PullSubscriber<Int, Never>(.unbounded)
    let erased = ErasedSubscriber.of(puller)
    #expect(erased === puller)
    #expect(erased.hidden() as? PullSubscriber<Int, Never> === puller)
    let subscription = RecordingSubscription()
    erased.receiveSubscription(subscription)
    #expect(erased.receiveValue(1) == .none)
    erased.receiveCompletion(.finished)
    #expect(subscription.history == [.requested(.unlimited)])
    #expect(await puller.next() == 1)
    #expect(await puller.next() == nil)
  }

  @Test func aSubscriberOfClosuresCallsThem() {
    var calls: [String] = []
    let erased = ClosureSubscriber<Int, TestFailure>(
      receiveSubscription: { calls.append("\($0)") },
      receiveValue: { value in
        calls.append("\(value)")
        return .max(value)
      },
      receiveCompletion: { calls.append("\($0)") })
    erased.receiveSubscription(RecordingSubscription())
    #expect(erased.receiveValue(2) == .max(2))
    erased.receiveCompletion(.finished)
    #expect(calls == ["RecordingSubscription", "2", "finished"])
    #expect(erased.hidden() as? String == "Anonymous AnySubscriber")
  }

  @Test func holdsTheSubscriberAsLongAsItLives() {
    let lifetimes = Lifetimes()
    do {
      let tracked = lifetimes.track()
      let subscriber = RecordingSubscriber(of: Int.self, failingWith: Never.self)
      subscriber.onValue = { _ in tracked.touch() }
      let erased = ErasedSubscriber.of(subscriber)
      _ = erased.receiveValue(1)
      #expect(lifetimes.live == 1)
    }
    #expect(lifetimes.live == 0)
  }
}
