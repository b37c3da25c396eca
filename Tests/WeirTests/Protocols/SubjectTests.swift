// Tests of what every subject offers.

import TestKit
import Testing
import Weir

@Suite struct SubjectTests {
  /// A subject that writes down what it is sent.
  private final class RecordingSubject<Output, Failure: Error>: Subject {
    var events: [String] = []

    func send(_ value: Output) { events.append("\(value)") }
    func send(completion: Subscribers.Completion<Failure>) { events.append("\(completion)") }
    func send(subscription: any Subscription) {
      events.append("\(subscription)")
      subscription.request(.max(2))
    }
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }

  @Test func aSignalWithoutAValueNeedsNoArgument() {
    let subject = RecordingSubject<Void, Never>()
    subject.send()
    #expect(subject.events == ["()"])
  }

  @Test func anyPublisherFeedsAnySubject() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let subject = RecordingSubject<Int, TestFailure>()
    let connection = publisher.subscribe(subject)
    publisher.send(1)
    publisher.send(completion: .failure(.first))
    #expect(subject.events == ["Subject", "1", "failure(TestKit.TestFailure.first)"])
    #expect(publisher.subscription?.history == [.requested(.max(2))])
    connection.cancel()
  }

  @Test func droppingTheConnectionCancelsIt() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let subject = RecordingSubject<Int, TestFailure>()
    do {
      let connection = publisher.subscribe(subject)
      withExtendedLifetime(connection) {}
    }
    #expect(publisher.subscription?.history == [.requested(.max(2)), .cancelled])
  }
}
