// Tests of map.

import TestKit
import Testing
import Weir

@Suite struct MapTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber(
    .max(2), perValue: .max(7), of: String.self, failingWith: TestFailure.self)

  @Test func changesEveryValueAndPassesDemandThrough() {
    publisher.map { "<\($0)>" }.subscribe(recorder)
    #expect(publisher.subscription?.history == [.requested(.max(2))])
    #expect(publisher.send(1) == .max(7))
    #expect(publisher.send(2) == .max(7))
    publisher.send(completion: .failure(.second))
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value("<1>"), .value("<2>"), .completion(.failure(.second)),
      ])
    #expect(publisher.subscription?.history == [.requested(.max(2))])
  }

  @Test func forwardsBlindlyAfterACompletionAndAfterCancellation() {
    publisher.map { "\($0)" }.subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    publisher.send(1)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    #expect(publisher.send(2) == .max(7))
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value("1"), .completion(.finished), .completion(.failure(.first)),
        .value("2"),
      ])
    #expect(publisher.subscription?.history == [.requested(.max(2)), .cancelled, .cancelled])
  }

  @Test func forwardsWithoutASubscription() {
    publisher.subscription = nil
    publisher.map { "\($0)" }.subscribe(recorder)
    #expect(publisher.send(1) == .max(7))
    publisher.send(completion: .finished)
    #expect(recorder.history == [.value("1"), .completion(.finished)])
  }

  @Test func mapsOfMapsAreOneStep() {
    let twice = publisher.map { $0 + 1 }.map { $0 * 10 }.map { "\($0)" }
    #expect(
      String(describing: type(of: twice)) == "Map<ScriptedPublisher<Int, TestFailure>, String>")
    twice.subscribe(recorder)
    publisher.send(1)
    #expect(recorder.values == ["20"])
    #expect(publisher.subscriber?.description == "Map")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func aLongChainKeepsOrderAndDemand() {
    let source = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber(.max(2), of: Int.self, failingWith: TestFailure.self)
    var chain = source.eraseToAnyPublisher()
    for _ in 0..<50 { chain = chain.map { $0 + 1 }.eraseToAnyPublisher() }
    chain.subscribe(recorder)
    for value in 0..<3 { source.send(value) }
    source.send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("PassthroughSubject"), .value(50), .value(51), .completion(.finished),
      ])
  }

  /// That this compiles is the test: with `+` and `>` of demands among the choices, or key paths, the compiler gives
  /// up.
  @Test func `thirty closures in one expression compile`() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    let sink =
      subject
      .map { $0 + 1 }
      .filter { $0 > 1 }
      .map { $0 + 1 }
      .filter { $0 > 2 }
      .map { $0 + 1 }
      .filter { $0 > 3 }
      .map { $0 + 1 }
      .filter { $0 > 4 }
      .map { $0 + 1 }
      .filter { $0 > 5 }
      .map { $0 + 1 }
      .filter { $0 > 6 }
      .map { $0 + 1 }
      .filter { $0 > 7 }
      .map { $0 + 1 }
      .filter { $0 > 8 }
      .map { $0 + 1 }
      .filter { $0 > 9 }
      .map { $0 + 1 }
      .filter { $0 > 10 }
      .map { $0 + 1 }
      .filter { $0 > 11 }
      .map { $0 + 1 }
      .filter { $0 > 12 }
      .map { $0 + 1 }
      .filter { $0 > 13 }
      .map { $0 + 1 }
      .filter { $0 > 14 }
      .map { $0 + 1 }
      .filter { $0 > 15 }
      .sink { received.append($0) }
    for value in 0...2 { subject.send(value) }
    sink.cancel()
    #expect(received == [16, 17])
  }
}
