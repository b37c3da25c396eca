// Tests of setFailureType: everything passes, under another kind of error.

import TestKit
import Testing
import Weir

@Suite struct SetFailureTypeTests {
  private let source = ScriptedPublisher(of: Int.self, failingWith: Never.self)
  private let recorder = RecordingSubscriber(
    .max(2), perValue: .max(7), of: Int.self, failingWith: TestFailure.self)

  @Test func passesEverythingOn() {
    source.setFailureType(to: TestFailure.self).subscribe(recorder)
    #expect(source.send(1) == .max(7))
    source.send(completion: .finished)
    #expect(source.send(2) == .max(7))
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value(1), .completion(.finished), .value(2),
      ])
    #expect(source.subscription?.history == [.requested(.max(2)), .cancelled, .requested(.unlimited)])
    #expect(source.subscriber?.description == "SetFailureType")
  }

  @Test func forwardsWithoutASubscription() {
    source.subscription = nil
    source.setFailureType(to: TestFailure.self).subscribe(recorder)
    #expect(source.send(1) == .max(7))
    source.send(completion: .finished)
    #expect(recorder.history == [.value(1), .completion(.finished)])
  }

  @Test func theKindOfErrorMayBeSetAgain() {
    struct OtherFailure: Error {}
    let twice = Just(1).setFailureType(to: OtherFailure.self).setFailureType(to: TestFailure.self)
    #expect(twice == Just(1).setFailureType(to: TestFailure.self))
    twice.subscribe(recorder)
    #expect(recorder.values == [1])
  }
}
