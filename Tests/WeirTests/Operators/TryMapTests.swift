// Tests of tryMap.

import TestKit
import Testing
import Weir

@Suite struct TryMapTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, any Error>(.max(2), perValue: .max(7))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func changesEveryValueAndReturnsTheDemand() {
    publisher.tryMap { $0 * 2 }.subscribe(recorder)
    #expect(upstream.history == [.requested(.max(2))])
    #expect(publisher.send(1) == .max(7))
    #expect(publisher.send(2) == .max(7))
    publisher.send(completion: .failure(.second))
    #expect(
      recorder.events == [.subscription("TryMap"), .value(2), .value(4), .completion(.failure(.second))])
    #expect(upstream.history == [.requested(.max(2))])
  }

  @Test func anErrorCancelsTheUpstreamAndThenFails() {
    var order: [String] = []
    upstream.onCancel = { order.append("cancelled") }
    recorder.onCompletion = { _ in order.append("failed") }
    publisher.tryMap { value -> Int in
      if value == 100 { throw TestFailure.first }
      return value * 2
    }.subscribe(recorder)
    publisher.send(2)
    #expect(publisher.send(100) == .none)
    #expect(order == ["cancelled", "failed"])
    recorder.request(.max(1))
    recorder.cancel()
    #expect(upstream.history == [.requested(.max(2)), .cancelled])
    #expect(recorder.events == [.subscription("TryMap"), .value(4), .completion(.failure(.first))])
  }

  /// An upstream that goes on after it was cancelled: values pass, as in Combine, but the stream ends only once.
  @Test func failsOnce() {
    publisher.tryMap { value -> Int in
      if value == 100 { throw TestFailure.first }
      return value * 2
    }.subscribe(recorder)
    for value in [2, 100, 9, 100] { publisher.send(value) }
    publisher.send(completion: .finished)
    #expect(
      recorder.events == [.subscription("TryMap"), .value(4), .completion(.failure(.first)), .value(18)])
    #expect(upstream.history == [.requested(.max(2)), .cancelled])
  }

  @Test func anErrorAfterACancellationFromWithinTheClosureIsNotDelivered() {
    publisher.tryMap { [recorder] _ -> Int in
      recorder.cancel()
      throw TestFailure.first
    }.subscribe(recorder)
    #expect(publisher.send(1) == .none)
    #expect(recorder.events == [.subscription("TryMap")])
    #expect(upstream.history == [.requested(.max(2)), .cancelled])
  }

  @Test func anErrorAfterACompletionFromWithinTheClosureIsNotDelivered() {
    let subject = PassthroughSubject<Int, TestFailure>()
    subject.tryMap { _ -> Int in
      subject.send(completion: .finished)
      throw TestFailure.first
    }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription("TryMap"), .completion(.finished)])
  }

  @Test func anErrorStopsASequence() {
    var calls = 0
    (1...5).publisher.map { $0 }.tryMap { value -> Int in
      calls += 1
      if value == 3 { throw TestFailure.second }
      return value
    }.subscribe(RecordingSubscriber<Int, any Error>(.unlimited))
    #expect(calls == 3)
  }

  @Test func neighboursAreOneStep() throws {
    var calls: [String] = []
    let chain =
      publisher
      .map { value -> Int in
        calls.append("map")
        return value + 1
      }
      .tryMap { value -> Int in
        calls.append("tryMap")
        if value == 100 { throw TestFailure.first }
        return value * 10
      }
      .map { "<\($0)>" }
      .tryMap { value -> String in
        calls.append("last")
        return value + "!"
      }
    #expect(
      String(describing: type(of: chain)) == "TryMap<ScriptedPublisher<Int, TestFailure>, String>")
    #expect(try chain.transform(1) == "<20>!")
    #expect(throws: TestFailure.first) { try chain.transform(99) }
    #expect(calls == ["map", "tryMap", "last", "map", "tryMap"])
  }

  @Test func describesItself() {
    publisher.tryMap { $0 }.subscribe(recorder)
    #expect(publisher.subscriber?.description == "TryMap")
    #expect(publisher.subscriber?.playgroundDescription as? String == "TryMap")
  }

  @Test func freesItsClosureWhenItThrows() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    do {
      let tracked = lifetimes.track()
      subject.tryMap { _ -> Int in
        tracked.touch()
        throw TestFailure.first
      }.subscribe(recorder)
    }
    #expect(lifetimes.live == 1)
    subject.send(1)
    #expect(lifetimes.live == 0)
    #expect(recorder.events == [.subscription("TryMap"), .completion(.failure(.first))])
  }
}
