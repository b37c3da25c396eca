// Tests of replaceNil.

import TestKit
import Testing
import Weir

@Suite struct ReplaceNilTests {
  @Test func replacesNilOnly() {
    let publisher = ScriptedPublisher(of: Int?.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(3), perValue: .max(2))
    publisher.replaceNil(with: 42).subscribe(recorder)
    #expect([1, nil, 3].map { publisher.send($0) } == [.max(2), .max(2), .max(2)])
    publisher.send(completion: .finished)
    #expect(recorder.values == [1, 42, 3])
    #expect(publisher.subscription?.history == [.requested(.max(3))])
    #expect(publisher.subscriber?.description == "Map")
  }
}
