// Tests of prefix(while:) and tryPrefix(while:).

import TestKit
import Testing
import Weir

@Suite struct PrefixWhileTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(42), perValue: .max(4))
  private let failing = RecordingSubscriber<Int, any Error>(.max(2))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func theFirstThatFailsEndsTheStream() {
    var order: [String] = []
    upstream.onCancel = { order.append("cancelled") }
    recorder.onCompletion = { _ in order.append("completed") }
    publisher.prefix { $0 < 3 }.subscribe(recorder)
    #expect((1...4).map { publisher.send($0) } == [.max(4), .max(4), .none, .none])
    publisher.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("PrefixWhile"), .value(1), .value(2), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(42)), .cancelled])
    #expect(order == ["cancelled", "completed"])
  }

  @Test func aCancellationFromWithinTheClosurePreventsTheEnd() {
    publisher.prefix { [recorder] _ in
      recorder.cancel()
      return false
    }.subscribe(recorder)
    publisher.send(1)
    #expect(recorder.history == [.subscription("PrefixWhile")])
    #expect(upstream.history == [.requested(.max(42)), .cancelled])
  }

  @Test func tryPrefixEndsTheStreamWithItsError() {
    publisher.tryPrefix { value in
      if value == 2 { throw TestFailure.second }
      return true
    }.subscribe(failing)
    for value in 1...3 { publisher.send(value) }
    #expect(failing.events == [.subscription("TryPrefixWhile"), .value(1), .completion(.failure(.second))])
    #expect(upstream.history == [.requested(.max(2)), .cancelled])
  }

  @Test func tryPrefixFinishesAtAFalse() {
    publisher.tryPrefix { _ in false }.subscribe(failing)
    publisher.send(1)
    #expect(failing.events == [.subscription("TryPrefixWhile"), .completion(.finished)])
  }

  @Test func trapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.prefix { _ in true }.subscribe(RecordingSubscriber())
      publisher.send(1)
    }
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.prefix { _ in true }.subscribe(RecordingSubscriber())
      publisher.send(completion: .finished)
    }
  }
}
