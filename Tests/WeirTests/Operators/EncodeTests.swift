// Tests of encode and decode.

import TestKit
import Testing
import Weir

@Suite struct EncodeTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, any Error>(.max(3), perValue: .max(2))
  private var upstream: RecordingSubscription { publisher.subscription! }

  private struct TextCoder: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> String { "<\(value)>" }
    func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T { input.count as! T }
  }

  @Test func encodesEveryValue() {
    let recorder = RecordingSubscriber<String, any Error>(.max(3), perValue: .max(2))
    publisher.encode(encoder: TextCoder()).subscribe(recorder)
    #expect([1, 2].map { publisher.send($0) } == [.max(2), .max(2)])
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("Encode"), .value("<1>"), .value("<2>"), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(3))])
  }

  @Test func decodesEveryValue() {
    let publisher = ScriptedPublisher(of: String.self, failingWith: TestFailure.self)
    publisher.decode(type: Int.self, decoder: TextCoder()).subscribe(recorder)
    publisher.send("four")
    publisher.send(completion: .failure(.first))
    #expect(recorder.events == [.subscription("Decode"), .value(4), .completion(.failure(.first))])
  }

  @Test func anErrorOfTheCoderEndsTheStream() {
    upstream.onCancel = { [recorder] in
      recorder.request(.max(9))
      #expect(recorder.events == [.subscription("Encode")])
    }
    publisher.encode(encoder: SameValueCoder()).subscribe(recorder)
    #expect([-13, 2].map { publisher.send($0) } == [.none, .none])
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("Encode"), .completion(.failure(.second))])
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
  }

  @Test func codesWhatComesBeforeTheSubscription() {
    publisher.subscription = nil
    publisher.encode(encoder: SameValueCoder()).subscribe(recorder)
    #expect(publisher.send(1) == .max(2))
    publisher.send(completion: .finished)
    #expect(publisher.send(2) == .none)
    let late = RecordingSubscription()
    publisher.send(subscription: late)
    #expect(recorder.events == [.value(1), .completion(.finished)])
    #expect(late.history == [.cancelled])
  }

  @Test func failsBeforeTheSubscription() {
    publisher.subscription = nil
    publisher.decode(type: Int.self, decoder: SameValueCoder()).subscribe(recorder)
    #expect(publisher.send(-13) == .none)
    #expect(recorder.events == [.completion(.failure(.second))])
    let late = RecordingSubscription()
    publisher.send(subscription: late)
    #expect(late.history == [.cancelled])
  }

  @Test func passesOnAZeroDemand() {
    publisher.encode(encoder: SameValueCoder()).subscribe(recorder)
    recorder.request(.none)
    #expect(upstream.history == [.requested(.max(3)), .requested(.none)])
  }

  @Test func showsItsLife() {
    publisher.encode(encoder: SameValueCoder()).subscribe(recorder)
    func children() -> [String]? { publisher.subscriber?.customMirror.children.map { "\($0.label!) \($0.value)" } }
    #expect(
      children() == [
        "downstream RecordingSubscriber", "finished false", "upstreamSubscription Optional(RecordingSubscription)",
      ])
    publisher.send(completion: .finished)
    #expect(children() == ["downstream RecordingSubscriber", "finished true", "upstreamSubscription nil"])
  }

  @Test func freesItsCoder() {
    final class Coder: TopLevelEncoder {
      let tracked: LifetimeTracked
      init(_ tracked: LifetimeTracked) { self.tracked = tracked }
      func encode<T: Encodable>(_ value: T) throws -> Int { value as! Int }
    }
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    subject.encode(encoder: Coder(lifetimes.track())).subscribe(recorder)
    subject.send(1)
    #expect(lifetimes.live == 1)
    recorder.cancel()
    #expect(lifetimes.live == 0)
  }
}

/// Codes integers as themselves; -13 it can't code.
private struct SameValueCoder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Int { try code(value as! Int) }

  func decode<T: Decodable>(_ type: T.Type, from input: Int) throws -> T { try code(input) as! T }

  private func code(_ value: Int) throws -> Int {
    if value == -13 { throw TestFailure.second }
    return value
  }
}
