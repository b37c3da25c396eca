// Tests of the publisher that is made for each subscriber.

import TestKit
import Testing
import Weir

@Suite struct DeferredTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func makesAPublisherForEachSubscriberAndNotBefore() {
    var made = 0
    let deferred = Deferred {
      made += 1
      return Result<Int, TestFailure>.Publisher(made)
    }
    #expect(made == 0)
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    deferred.subscribe(first)
    #expect(made == 1)
    deferred.subscribe(second)
    #expect(first.history == [.subscription("Once"), .value(1), .completion(.finished)])
    #expect(second.history == [.subscription("Once"), .value(2), .completion(.finished)])
  }

  @Test func addsNothingBetweenPublisherAndSubscriber() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = Recorder(.max(2))
    Deferred { source }.subscribe(recorder)
    #expect(source.subscription?.history == [.requested(.max(2))])
    source.send(1)
    source.send(completion: .failure(.first))
    #expect(
      recorder.history == [.subscription("RecordingSubscription"), .value(1), .completion(.failure(.first))])
    recorder.cancel()
    #expect(source.subscription?.history == [.requested(.max(2)), .cancelled])
  }
}
