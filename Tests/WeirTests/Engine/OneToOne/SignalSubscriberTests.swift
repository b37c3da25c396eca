// Tests of the subscriber of operators that look at signals.

import TestKit
import Testing
import Weir

@Suite struct SignalSubscriberTests {
  private final class Log { var lines: [String] = [] }

  private struct Looking: SignalPolicy {
    typealias Value = Int
    let log: Log
    static var name: String { "Looking" }
    var children: [Mirror.Child] { [("lines", log.lines.count)] }
    func look(atSubscription subscription: any Subscription) { log.lines.append("\(subscription)") }
    func look(atValue value: Int) { log.lines.append("\(value)") }
    func look(atCompletion completion: Subscribers.Completion<Never>) { log.lines.append("\(completion)") }
    func convert(_ failure: Never) -> TestFailure {}
  }

  private struct Converting: SignalPolicy {
    typealias Value = Int
    static var name: String { "Converting" }
    func convert(_ failure: TestFailure) -> TestFailure { failure == .first ? .second : .first }
  }

  private let downstream = RecordingSubscriber<Int, TestFailure>(.max(4), perValue: .max(7))
  private let log = Log()

  @Test func showsTheRuleEachSignalAndPassesItOn() {
    let relay = SignalSubscriber(Looking(log: log), downstream)
    let subscription = RecordingSubscription()
    relay.receive(subscription: subscription)
    #expect(relay.receive(1) == .max(7))
    relay.receive(completion: .finished)
    #expect(log.lines == ["RecordingSubscription", "1", "finished"])
    #expect(downstream.history == [.subscription("RecordingSubscription"), .value(1), .completion(.finished)])
    #expect(subscription.history == [.requested(.max(4))])
  }

  @Test func convertsTheErrorAndForwardsBlindly() {
    let relay = SignalSubscriber(Converting(), downstream)
    relay.receive(completion: .failure(.first))
    relay.receive(completion: .failure(.second))
    #expect(relay.receive(1) == .max(7))
    #expect(downstream.history == [.completion(.failure(.second)), .completion(.failure(.first)), .value(1)])
  }

  @Test func describesItselfAsItsOperator() {
    let relay = SignalSubscriber(Looking(log: log), downstream)
    #expect(relay.description == "Looking")
    #expect(relay.playgroundDescription as? String == "Looking")
    #expect(relay.customMirror.children.map(\.label) == ["lines"])
    #expect(relay.combineIdentifier == downstream.combineIdentifier)
  }
}
