// Tests of ignoreOutput.

import TestKit
import Testing
import Weir

@Suite struct IgnoreOutputTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Never, TestFailure>(.max(42))

  @Test func asksForEverythingAfterItPassedTheSubscriptionOn() {
    publisher.ignoreOutput().subscribe(recorder)
    recorder.request(.max(5))
    #expect(publisher.subscription?.history == [.requested(.max(42)), .requested(.unlimited), .requested(.max(5))])
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    #expect(recorder.log == ["RecordingSubscription", "finished"])
  }

  @Test func forwardsCompletionsBlindly() {
    publisher.subscription = nil
    publisher.ignoreOutput().subscribe(recorder)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    #expect(recorder.log == ["finished", "failed first"])
  }

  @Test func takesEverySubscription() {
    publisher.ignoreOutput().subscribe(recorder)
    let second = RecordingSubscription()
    publisher.send(subscription: second)
    #expect(second.history == [.requested(.max(42)), .requested(.unlimited)])
    #expect(publisher.subscriber?.description == "IgnoreOutput")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func areEqualIfTheUpstreamsAre() {
    #expect(Publishers.IgnoreOutput(upstream: Just(1)) == Publishers.IgnoreOutput(upstream: Just(1)))
    #expect(Publishers.IgnoreOutput(upstream: Just(1)) != Publishers.IgnoreOutput(upstream: Just(2)))
  }
}
