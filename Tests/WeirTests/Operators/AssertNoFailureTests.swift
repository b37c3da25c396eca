// Tests of assertNoFailure.

import TestKit
import Testing
import Weir

@Suite struct AssertNoFailureTests {
  @Test func passesEverythingElseOn() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Int, Never>(.max(3), perValue: .max(2))
    publisher.assertNoFailure().subscribe(recorder)
    #expect(publisher.send(1) == .max(2))
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("RecordingSubscription"), .value(1), .completion(.finished)])
    #expect(publisher.subscription?.history == [.requested(.max(3))])
  }

  @Test func stopsTheProgramAtAFailure() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      publisher.assertNoFailure("prefix").subscribe(RecordingSubscriber<Int, Never>())
      publisher.send(completion: .failure(.first))
    }
  }

  @Test func showsWhereItStands() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    publisher.assertNoFailure("P", file: "Some.swift", line: 1987).subscribe(RecordingSubscriber<Int, Never>())
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["file", "line", "prefix"])
    #expect(children?.map(\.1) == ["Some.swift", "1987", "P"])
    #expect(publisher.subscriber?.description == "AssertNoFailure")
  }
}
