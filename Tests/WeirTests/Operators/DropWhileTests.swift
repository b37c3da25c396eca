// Tests of drop(while:) and tryDrop(while:).

import TestKit
import Testing
import Weir

@Suite struct DropWhileTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(42), perValue: .max(4))
  private let failing = RecordingSubscriber<Int, any Error>(.max(2))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func stopsAskingAfterTheFirstThatPasses() {
    var asked: [Int] = []
    publisher.drop { value in
      asked.append(value)
      return value.isMultiple(of: 2)
    }.subscribe(recorder)
    #expect([2, 4, 7, 8].map { publisher.send($0) } == [.max(1), .max(1), .max(4), .max(4)])
    publisher.send(completion: .finished)
    #expect(publisher.send(9) == .none)
    #expect(recorder.history == [.subscription("DropWhile"), .value(7), .value(8), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(42))])
    #expect(asked == [2, 4, 7])
  }

  @Test func ignoresWhatComesBeforeTheSubscription() {
    publisher.subscription = nil
    publisher.drop { _ in false }.subscribe(recorder)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    #expect(recorder.history == [])
  }

  @Test func tryDropEndsTheStreamWithItsError() {
    publisher.tryDrop { value in
      if value == 100 { throw TestFailure.second }
      return value.isMultiple(of: 2)
    }.subscribe(failing)
    #expect([2, 4, 100, 9].map { publisher.send($0) } == [.max(1), .max(1), .none, .none])
    publisher.send(completion: .finished)
    #expect(failing.events == [.subscription("TryDropWhile"), .completion(.failure(.second))])
    #expect(upstream.history == [.requested(.max(2)), .cancelled])
  }

  @Test func tryDropPassesOnTheUpstreamsFailure() {
    publisher.tryDrop { _ in true }.subscribe(failing)
    publisher.send(completion: .failure(.first))
    #expect(failing.events == [.subscription("TryDropWhile"), .completion(.failure(.first))])
  }

  @Test func trapsOnNoDemand() async {
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher(of: Int.self, failingWith: Never.self).drop { _ in true }
        .subscribe(RecordingSubscriber(.some(.none)))
    }
  }

  /// As in Combine: the outer value is judged by the closure that was called for it, and then passes the open door.
  @Test func acceptsAValueFromWithinItsClosure() {
    let subject = PassthroughSubject<Int, TestFailure>()
    subject.drop { value in
      if value == 1 { subject.send(2) }
      return value == 1
    }.subscribe(recorder)
    for value in [1, 3] { subject.send(value) }
    #expect(recorder.values == [2, 3])
  }

  @Test func showsNothing() {
    publisher.drop { _ in true }.subscribe(recorder)
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func freesItsClosure() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    func subscribe() {
      let tracked = lifetimes.track()
      subject.drop { _ in
        tracked.touch()
        return true
      }.subscribe(recorder)
    }
    subscribe()
    subject.send(1)
    #expect(lifetimes.live == 1)
    recorder.cancel()
    #expect(lifetimes.live == 0)
    subscribe()
    subject.send(completion: .finished)
    #expect(lifetimes.live == 0)
  }
}
