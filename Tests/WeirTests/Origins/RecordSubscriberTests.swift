// Tests of the subscriber that lets a sequence end as a recording does.

import TestKit
import Testing

@testable import Weir

@Suite struct RecordSubscriberTests {
  private let recorder = RecordingSubscriber<Int, TestFailure>()

  @Test func replacesTheCompletionOnly() {
    let subscriber = RecordSubscriber(downstream: recorder, completion: .failure(.second))
    #expect(subscriber.combineIdentifier == recorder.combineIdentifier)
    subscriber.receive(subscription: RecordingSubscription())
    recorder.demandPerValue = { .max($0) }
    #expect(subscriber.receive(3) == .max(3))
    subscriber.receive(completion: .finished)
    #expect(
      recorder.history == [.subscription("RecordingSubscription"), .value(3), .completion(.failure(.second))])
  }

  @Test func aSequencesSubscriptionIsRenamed() {
    [1, 2].deliver(to: RecordSubscriber(downstream: recorder, completion: .finished))
    let link = recorder.subscriptions[0]
    #expect("\(link)" == "[1, 2]")
    link.request(.max(1))
    link.cancel()
    #expect("\(link)" == "Cancelled Events")
    #expect(recorder.values == [1])
  }
}
