// Tests of compactMap and tryCompactMap.

import TestKit
import Testing
import Weir

@Suite struct CompactMapTests {
  private let publisher = ScriptedPublisher(of: String.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func dropsWhatBecomesNilAndAsksForOneMore() {
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(2), perValue: .max(4))
    publisher.compactMap { Int($0) }.subscribe(recorder)
    #expect(["a", "1", "b", "2"].map { publisher.send($0) } == [.max(1), .max(4), .max(1), .max(4)])
    publisher.send(completion: .finished)
    #expect(
      recorder.history == [.subscription("RecordingSubscription"), .value(1), .value(2), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(2))])
  }

  @Test func aLimitedSubscriberGetsItsNumberOfValues() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<String, TestFailure>(.max(2))
    subject.compactMap { $0.isMultiple(of: 3) ? "\($0)" : nil }.subscribe(recorder)
    for value in 1...20 { subject.send(value) }
    #expect(recorder.values == ["3", "6"])
  }

  @Test func compactMapsAndMapsAfterItAreOneStep() {
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    let chain = publisher.compactMap { Int($0) }.compactMap { $0.isMultiple(of: 2) ? $0 / 2 : nil }.map { $0 + 1 }
    #expect(String(describing: type(of: chain)) == "CompactMap<ScriptedPublisher<String, TestFailure>, Int>")
    chain.subscribe(recorder)
    #expect(["0", "3", "a", "12"].map { publisher.send($0) } == [.none, .max(1), .max(1), .none])
    #expect(recorder.values == [1, 7])
    #expect(publisher.subscriber?.description == "CompactMap")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  // MARK: tryCompactMap

  private let failing = RecordingSubscriber<Int, any Error>(.max(3), perValue: .max(42))

  private static func parse(_ text: String) throws -> Int? {
    if text == "throw" { throw TestFailure.first }
    return Int(text)
  }

  @Test func tryCompactMapEndsTheStreamWithItsError() {
    publisher.tryCompactMap(Self.parse).subscribe(failing)
    #expect(["1", "a", "2"].map { publisher.send($0) } == [.max(42), .max(1), .max(42)])
    #expect(upstream.history == [.requested(.max(3))])
    #expect(publisher.send("throw") == .none)
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
    #expect(publisher.send("3") == .none)
    #expect(publisher.send("throw") == .none)
    publisher.send(completion: .finished)
    failing.request(.max(1))
    failing.cancel()
    #expect(
      failing.events == [
        .subscription("TryCompactMap"), .value(1), .value(2), .completion(.failure(.first)),
      ])
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
  }

  @Test func aCompactMapAfterATryCompactMapIsOneStep() {
    let chain = publisher.tryCompactMap(Self.parse).compactMap { $0.isMultiple(of: 2) ? $0 / 2 : nil }
    #expect(String(describing: type(of: chain)) == "TryCompactMap<ScriptedPublisher<String, TestFailure>, Int>")
    chain.subscribe(failing)
    for text in ["0", "3", "a", "12", "throw"] { publisher.send(text) }
    #expect(
      failing.events == [
        .subscription("TryCompactMap"), .value(0), .value(6), .completion(.failure(.first)),
      ])
  }

  @Test func tryCompactMapTrapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.tryCompactMap { $0 }.subscribe(RecordingSubscriber<Int, any Error>())
      publisher.send(1)
    }
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.tryCompactMap { $0 }.subscribe(RecordingSubscriber<Int, any Error>())
      publisher.send(completion: .finished)
    }
  }

  @Test func tryCompactMapTrapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      publisher.tryCompactMap { $0 }.subscribe(RecordingSubscriber<Int, any Error>(.some(.none)))
    }
  }
}
