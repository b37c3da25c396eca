// Tests of the subscriber around values that pass one for one.

import TestKit
import Testing

@testable import Weir

private final class DoublingPolicy: LinkedPolicy {
  typealias Input = Int
  typealias Output = Int

  var log: [String] = []
  var isCut = false

  func begin() { log.append("begin") }
  func refuse() { log.append("refuse") }
  func relay<Downstream: Subscriber>(
    _ input: Int, _ link: UpstreamLink, to downstream: Downstream
  ) -> Subscribers.Demand where Downstream.Input == Int { downstream.receive(input * 2) }
}

@Suite struct LinkedSubscriberTests {
  private let policy = DoublingPolicy()
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(1), perValue: .max(2))
  private let upstream = RecordingSubscription()

  private func makeSubscriber() -> LinkedSubscriber<DoublingPolicy, RecordingSubscriber<Int, TestFailure>> {
    LinkedSubscriber(policy, UpstreamLink(name: "Twice", refusesNone: false), to: recorder)
  }

  @Test func passesOnWhatItsRuleMakes() {
    let subscriber = makeSubscriber()
    #expect(subscriber.receive(1) == .none)
    subscriber.receive(subscription: upstream)
    #expect(policy.log == ["begin"])
    #expect(subscriber.receive(1) == .max(2))
    subscriber.receive(completion: .finished)
    subscriber.receive(completion: .finished)
    #expect(subscriber.receive(2) == .none)
    #expect(recorder.history == [.subscription("Twice"), .value(2), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(1))])
    #expect("\(subscriber)" == "Twice")
  }

  @Test func refusesWhatComesWhenItIsCut() {
    let subscriber = makeSubscriber()
    subscriber.receive(subscription: upstream)
    policy.isCut = true
    #expect(subscriber.receive(1) == .none)
    subscriber.receive(completion: .finished)
    #expect(policy.log == ["begin", "refuse"])
    #expect(recorder.history == [.subscription("Twice")])
  }
}
