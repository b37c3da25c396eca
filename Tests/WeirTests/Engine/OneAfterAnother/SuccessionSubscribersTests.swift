// Tests of the subscribers to a stream and its successor, with a policy of their own: what a policy decides.

import TestKit
import Testing

@testable import Weir

/// Follows a failure with the second source, and a finish with a failure.
private struct TestPolicy: SuccessionPolicy {
  typealias Input = Int
  typealias UpstreamFailure = TestFailure
  typealias Failure = any Error

  let successor: ScriptedPublisher<Int, TestFailure>

  static var name: String { "Test" }
  static var isTrusting: Bool { false }

  func follow(
    _ completion: Subscribers.Completion<TestFailure>
  ) -> Following<ScriptedPublisher<Int, TestFailure>, any Error> {
    if case .failure = completion { .stream(successor) } else { .end(.failure(TestFailure.second)) }
  }

  static func convert(_ failure: TestFailure) -> any Error { failure }
}

@Suite struct SuccessionSubscribersTests {
  private let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let successor = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, any Error>(.max(3))

  init() { TestPolicy(successor: successor).attach(source, to: recorder) }

  @Test func thePolicySaysWhatFollows() {
    source.send(1)
    source.send(completion: .failure(.first))
    successor.send(2)
    successor.send(completion: .failure(.first))
    #expect(recorder.events == [.subscription("Test"), .value(1), .value(2), .completion(.failure(.first))])
    #expect(successor.subscription?.history == [.requested(.max(2))])
  }

  @Test func thePolicySaysHowItEnds() {
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription("Test"), .completion(.failure(.second))])
    #expect(successor.subscriber == nil)
  }

  @Test func aSuccessorThatGivesNoSubscriptionIsIgnored() {
    successor.subscription = nil
    source.send(completion: .failure(.first))
    #expect(successor.send(1) == .none)
    successor.send(completion: .finished)
    #expect(recorder.events == [.subscription("Test")])
  }

  @Test func strangeSignalsAreIgnoredUnlessTheRuleTrusts() {
    for value in 1...4 { source.send(value) }
    source.send(completion: .failure(.first))
    source.send(completion: .failure(.second))
    #expect(source.send(5) == .none)
    successor.send(completion: .finished)
    #expect(successor.send(6) == .none)
    #expect(
      recorder.events == [.subscription("Test"), .value(1), .value(2), .value(3), .completion(.finished)])
    for publisher in [source, successor] {
      #expect(Mirror(reflecting: publisher.subscriber!).children.isEmpty)
    }
  }
}
