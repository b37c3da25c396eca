// Tests of the subscriber that feeds a subject.

import TestKit
import Testing
import Weir

@Suite struct SubjectSubscriberTests {
  typealias Subject = PassthroughSubject<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func feedsTheSubject() {
    let subject = Subject()
    let recorder = Recorder(.max(2))
    let connection = publisher.subscribe(subject)
    #expect(upstream.history == [])
    subject.subscribe(recorder)
    #expect(upstream.history == [.requested(.unlimited)])
    #expect(publisher.send(1) == .none)
    #expect(publisher.send(2) == .none)
    #expect(publisher.send(3) == .none)
    publisher.send(completion: .failure(.first))
    #expect(
      recorder.history == [
        .subscription("PassthroughSubject"), .value(1), .value(2), .completion(.failure(.first)),
      ])
    connection.cancel()
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func cancellingTheConnectionLeavesTheSubjectUsable() {
    let subject = Subject()
    let recorder = Recorder(.unlimited)
    subject.subscribe(recorder)
    let connection = publisher.subscribe(subject)
    publisher.send(1)
    connection.cancel()
    connection.cancel()
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    publisher.send(2)
    publisher.send(completion: .finished)
    subject.send(3)
    #expect(recorder.history == [.subscription("PassthroughSubject"), .value(1), .value(3)])
  }

  @Test func cancelsAFurtherSubscription() {
    let subject = Subject()
    let connection = publisher.subscribe(subject)
    let second = RecordingSubscription()
    publisher.send(subscription: second)
    #expect(second.history == [.cancelled])
    #expect(upstream.history == [])
    connection.cancel()
  }

  @Test func completesTheSubjectOnce() {
    let subject = Subject()
    let recorder = Recorder(.unlimited)
    subject.subscribe(recorder)
    let connection = publisher.subscribe(subject)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.second))
    publisher.send(1)
    #expect(recorder.history == [.subscription("PassthroughSubject"), .completion(.finished)])
    connection.cancel()
  }

  @Test func doesNotKeepTheSubjectAlive() {
    weak var weakSubject: Subject?
    let connection: AnyCancellable
    do {
      let subject = Subject()
      weakSubject = subject
      connection = publisher.subscribe(subject)
    }
    #expect(weakSubject == nil)
    #expect(upstream.history == [.cancelled])
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    connection.cancel()
    #expect(upstream.history == [.cancelled])
  }

  @Test func feedsASubjectThatKeepsItsNewestValue() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let recorder = Recorder(.unlimited)
    let connection = publisher.subscribe(subject)
    publisher.send(1)
    #expect(subject.value == 1)
    subject.subscribe(recorder)
    publisher.send(2)
    #expect(recorder.history == [.subscription("CurrentValueSubject"), .value(1), .value(2)])
    connection.cancel()
  }

  @Test func feedsAnotherPackagesSubject() {
    let subject = ForeignSubject()
    let recorder = Recorder(.unlimited)
    subject.subscribe(recorder)
    let connection = publisher.subscribe(subject)
    for value in 1...2 { publisher.send(value) }
    #expect(subject.sent == [1, 2])
    connection.cancel()
    publisher.send(3)
    #expect(recorder.history == [.subscription("PassthroughSubject"), .value(1), .value(2)])
  }

  @Test func keepsNoValueOfASubjectThatIsFreed() {
    let publisher = PassthroughSubject<Tracked, Never>()
    weak var newest: Tracked?
    let connections: [AnyCancellable]
    do {
      let (passing, keeping) = (PassthroughSubject<Tracked, Never>(), CurrentValueSubject<Tracked, Never>(Tracked()))
      let value = Tracked()
      newest = value
      connections = [publisher.subscribe(passing), publisher.subscribe(keeping)]
      publisher.send(value)
      #expect(keeping.value === value)
    }
    #expect(newest == nil)
    withExtendedLifetime(connections) {}
  }

  @Test func describesItselfAsASubject() {
    let subject = Subject()
    let connection = publisher.subscribe(subject)
    #expect(publisher.subscriber?.description == "Subject")
    let labels = publisher.subscriber?.customMirror.children.compactMap(\.label)
    #expect(labels == ["downstreamSubject", "upstreamSubscription", "subject"])
    connection.cancel()
  }
}

private final class Tracked {}

/// A subject of somebody else's.
private final class ForeignSubject: Subject {
  typealias Output = Int
  typealias Failure = TestFailure

  let inner = PassthroughSubject<Int, TestFailure>()
  private(set) var sent: [Int] = []

  func send(_ value: Int) {
    sent.append(value)
    inner.send(value)
  }

  func send(completion: Subscribers.Completion<TestFailure>) { inner.send(completion: completion) }
  func send(subscription: any Subscription) { inner.send(subscription: subscription) }

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == TestFailure { inner.receive(subscriber: subscriber) }
}
