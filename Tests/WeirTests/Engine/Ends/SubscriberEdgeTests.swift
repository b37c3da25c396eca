// Tests of the erased end of a chain.

import TestKit
import Testing

@testable import Weir

@Suite struct SubscriberEdgeTests {
  @Test func callsTheSubscriber() {
    let subscriber = RecordingSubscriber(.max(1), perValue: .max(2), of: Int.self, failingWith: TestFailure.self)
    let edge = SubscriberEdge(subscriber)
    let subscription = RecordingSubscription()
    edge.receiveSubscription(subscription)
    #expect(edge.receiveValue(3) == .max(2))
    edge.receiveCompletion(.failure(.first))
    #expect(
      subscriber.history == [.subscription("RecordingSubscription"), .value(3), .completion(.failure(.first))])
    #expect(subscription.history == [.requested(.max(1))])
    #expect(edge.hidden() as? RecordingSubscriber<Int, TestFailure> === subscriber)
  }

  @Test func holdsTheSubscriberAsLongAsItLives() {
    let lifetimes = Lifetimes()
    do {
      let tracked = lifetimes.track()
      let subscriber = RecordingSubscriber(of: Int.self, failingWith: Never.self)
      subscriber.onValue = { _ in tracked.touch() }
      let edge = SubscriberEdge(subscriber)
      _ = edge.receiveValue(1)
      #expect(lifetimes.live == 1)
    }
    #expect(lifetimes.live == 0)
  }
}
