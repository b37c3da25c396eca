// Tests of the subscriber that takes any demand for unlimited demand.

import TestKit
import Testing

@testable import Weir

@Suite struct UnmeteredSubscriberTests {
  private let recorder = RecordingSubscriber<Int, TestFailure>()
  private let subscription = RecordingSubscription()

  @Test func anyRequestAsksForEverything() {
    let subscriber = UnmeteredSubscriber(recorder)
    #expect(subscriber.combineIdentifier == recorder.combineIdentifier)
    subscriber.receive(subscription: subscription)
    recorder.request(.max(1))
    recorder.request(.none)
    recorder.cancel()
    #expect(subscription.history == [.requested(.unlimited), .requested(.unlimited), .cancelled])
  }

  @Test func demandInReturnForAValueIsIgnored() {
    let subscriber = UnmeteredSubscriber(recorder)
    recorder.demandPerValue = { _ in .max(2) }
    #expect(subscriber.receive(1) == .none)
    subscriber.receive(completion: .failure(.first))
    #expect(recorder.history == [.value(1), .completion(.failure(.first))])
  }

  @Test func theSubscriptionKeepsItsName() {
    UnmeteredSubscriber(recorder).receive(subscription: subscription)
    #expect(recorder.history == [.subscription("RecordingSubscription")])
  }
}
