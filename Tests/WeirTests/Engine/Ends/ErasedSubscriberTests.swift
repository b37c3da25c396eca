// Tests of the erased end of a chain.

import TestKit
import Testing

@testable import Weir

@Suite struct ErasedSubscriberTests {
  @Test func callsTheSubscriber() {
    let subscriber = RecordingSubscriber(.max(1), perValue: .max(2), of: Int.self, failingWith: TestFailure.self)
    let erased = ErasedSubscriber(subscriber)
    let subscription = RecordingSubscription()
    erased.receiveSubscription(subscription)
    #expect(erased.receiveValue(3) == .max(2))
    erased.receiveCompletion(.failure(.first))
    #expect(
      subscriber.history == [.subscription("RecordingSubscription"), .value(3), .completion(.failure(.first))])
    #expect(subscription.history == [.requested(.max(1))])
    #expect(erased.hidden() as? RecordingSubscriber<Int, TestFailure> === subscriber)
  }

  @Test func holdsTheSubscriberAsLongAsItLives() {
    let lifetimes = Lifetimes()
    do {
      let tracked = lifetimes.track()
      let subscriber = RecordingSubscriber(of: Int.self, failingWith: Never.self)
      subscriber.onValue = { _ in tracked.touch() }
      let erased = ErasedSubscriber(subscriber)
      _ = erased.receiveValue(1)
      #expect(lifetimes.live == 1)
    }
    #expect(lifetimes.live == 0)
  }
}
