// Tests of the subscriber of all operators without state.

import TestKit
import Testing
import Weir

@Suite struct StatelessSubscriberTests {
  private struct HalveEven: StatelessPolicy {
    typealias Input = Int
    typealias Output = String
    static var name: String { "HalveEven" }
    func relay<Downstream: Subscriber>(_ input: Int, to downstream: Downstream) -> Subscribers.Demand
    where Downstream.Input == String {
      input.isMultiple(of: 2) ? downstream.receive("\(input / 2)") : .max(1)
    }
  }

  private let downstream = RecordingSubscriber(
    .max(4), perValue: .max(7), of: String.self, failingWith: TestFailure.self)

  @Test func appliesItsRuleToEachValue() {
    let relay = StatelessSubscriber(HalveEven(), downstream)
    #expect(relay.receive(4) == .max(7))
    #expect(relay.receive(5) == .max(1))
    #expect(downstream.history == [.value("2")])
  }

  @Test func passesTheUpstreamsSubscriptionItself() {
    let relay = StatelessSubscriber(HalveEven(), downstream)
    let subscription = RecordingSubscription()
    relay.receive(subscription: subscription)
    #expect(downstream.subscriptions[0] as? RecordingSubscription === subscription)
    #expect(subscription.history == [.requested(.max(4))])
  }

  @Test func forwardsBlindlyAlsoAfterACompletion() {
    let relay = StatelessSubscriber(HalveEven(), downstream)
    relay.receive(completion: .finished)
    #expect(relay.receive(2) == .max(7))
    relay.receive(completion: .failure(.first))
    let second = RecordingSubscription("second")
    relay.receive(subscription: second)
    #expect(
      downstream.history == [
        .completion(.finished), .value("1"), .completion(.failure(.first)), .subscription("second"),
      ])
    #expect(second.history == [.requested(.max(4))])
  }

  @Test func describesItselfAsItsOperator() {
    let relay = StatelessSubscriber(HalveEven(), downstream)
    #expect(relay.description == "HalveEven")
    #expect(relay.playgroundDescription as? String == "HalveEven")
    #expect(Mirror(reflecting: relay).children.isEmpty)
    #expect(relay.combineIdentifier == downstream.combineIdentifier)
  }
}
