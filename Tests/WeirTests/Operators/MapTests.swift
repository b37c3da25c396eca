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
}
