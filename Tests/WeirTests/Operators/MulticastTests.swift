// Tests of multicast: one subject, made late, and a connection per `connect()`.

import TestKit
import Testing
import Weir

@Suite struct MulticastTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>
  typealias Relay = PassthroughSubject<Int, TestFailure>

  private let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = Recorder(.unlimited)

  @Test func publishesWhileItIsConnected() {
    let subject = Relay()
    let multicast = subject.multicast { Relay() }
    multicast.subscribe(recorder)
    subject.send(1)
    let first = multicast.connect()
    subject.send(2)
    first.cancel()
    subject.send(3)
    let second = multicast.connect()
    subject.send(4)
    subject.send(completion: .finished)
    subject.send(5)
    #expect(recorder.history == [.subscription("Multicast"), .value(2), .value(4), .completion(.finished)])
    second.cancel()
  }

  @Test func makesItsSubjectOnceWhenItIsNeeded() {
    let made = Counter()
    let multicast = source.multicast { () -> Relay in
      made.add()
      return Relay()
    }
    #expect(made.value == 0)
    for _ in 0..<3 { multicast.subscribe(Recorder()) }
    #expect(made.value == 1)
    multicast.connect().cancel()
    #expect(made.value == 1)
  }

  @Test func connectsWithoutASubscriber() {
    let made = Counter()
    let multicast = source.multicast { () -> Relay in
      made.add()
      return Relay()
    }
    let connection = multicast.connect()
    #expect(made.value == 1)
    #expect(source.subscription?.history == [])
    multicast.subscribe(recorder)
    #expect(source.subscription?.history == [.requested(.unlimited)])
    connection.cancel()
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func twoConnectionsBringEachValueTwiceAndOneCompletion() {
    let subject = Relay()
    let multicast = subject.multicast { Relay() }
    multicast.subscribe(recorder)
    let connections = [multicast.connect(), multicast.connect()]
    subject.send(42)
    connections[0].cancel()
    subject.send(43)
    subject.send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("Multicast"), .value(42), .value(42), .value(43), .completion(.finished),
      ])
    connections[1].cancel()
  }

  @Test func aLateSubscriberGetsWhatComesLater() {
    let subject = Relay()
    let multicast = source.multicast(subject: subject)
    let early = Recorder(.max(3))
    multicast.subscribe(early)
    #expect(source.subscriber == nil)
    let connection = multicast.connect()
    #expect(source.subscription?.history == [.requested(.unlimited)])
    for value in 1...4 { #expect(source.send(value) == .none) }
    let late = Recorder(.max(2))
    multicast.subscribe(late)
    for value in 5...7 { source.send(value) }
    source.send(completion: .failure(.first))
    let latest = Recorder(Subscribers.Demand.none)
    multicast.subscribe(latest)
    let end = Recorder.Event.completion(.failure(.first))
    #expect(early.history == [.subscription("Multicast"), .value(1), .value(2), .value(3), end])
    #expect(late.history == [.subscription("Multicast"), .value(5), .value(6), end])
    #expect(latest.history == [.subscription("Multicast"), end])
    #expect(source.subscription?.history == [.requested(.unlimited)])
    connection.cancel()
  }

  @Test func returnedDemandReachesTheSubject() {
    let multicast = source.multicast { Relay() }
    let recorder = Recorder(.max(1), perValue: .max(1))
    multicast.subscribe(recorder)
    let connection = multicast.connect()
    for value in 1...3 { source.send(value) }
    recorder.cancel()
    source.send(4)
    #expect(recorder.values == [1, 2, 3])
    connection.cancel()
  }

  @Test func returnedDemandIsARequestToTheSubject() {
    let subject = ScriptedSubject()
    source.multicast(subject: subject).subscribe(Recorder(.max(42), perValue: .max(3)))
    let subscription = RecordingSubscription()
    subject.inner?.receive(subscription: subscription)
    #expect(subject.inner?.receive(1) == Subscribers.Demand.none)
    #expect(subscription.history == [.requested(.max(42)), .requested(.max(3))])
  }

  @Test func theInnerSubscriberTakesOneSubscriptionAndIgnoresStrays() {
    let subject = ScriptedSubject()
    source.multicast(subject: subject).subscribe(recorder)
    let inner = subject.inner
    #expect(inner?.description == "Multicast")
    #expect(inner?.receive(1) == Subscribers.Demand.none)
    inner?.receive(completion: .finished)
    #expect(recorder.history == [])
    let subscriptions = [RecordingSubscription(), RecordingSubscription()]
    for subscription in subscriptions { inner?.receive(subscription: subscription) }
    #expect(subscriptions[1].history == [.cancelled])
    _ = inner?.receive(2)
    inner?.receive(completion: .finished)
    inner?.receive(completion: .finished)
    _ = inner?.receive(3)
    #expect(recorder.history == [.subscription("Multicast"), .value(2), .completion(.finished)])
    #expect(subscriptions[0].history == [.requested(.unlimited)])
  }

  @Test func aConnectionOutlivesMulticastAndSubject() {
    weak var subject: Relay?
    var connection: (any Cancellable)?
    do {
      let strong = Relay()
      subject = strong
      connection = source.multicast(subject: strong).connect()
    }
    #expect(subject == nil)
    #expect(source.send(1) == .none)
    connection?.cancel()
    #expect(source.subscription?.history.last == .cancelled)
  }

  @Test func severalThreadsGetTheSameSubject() {
    for _ in 0..<100 {
      let source = Relay()
      let multicast = source.multicast { Relay() }
      let recorders = (0..<3).map { _ in Recorder(.unlimited) }
      onThreads(3) { multicast.subscribe(recorders[$0]) }
      let connection = multicast.connect()
      source.send(1)
      #expect(recorders.map(\.values) == [[1], [1], [1]])
      connection.cancel()
    }
  }

  /// Keeps its subscriber, and does nothing by itself.
  private final class ScriptedSubject: Subject {
    typealias Output = Int
    typealias Failure = TestFailure
    var inner: AnySubscriber<Int, TestFailure>?
    func send(_ value: Int) {}
    func send(completion: Subscribers.Completion<TestFailure>) {}
    func send(subscription: any Subscription) {}
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      inner = AnySubscriber(subscriber)
    }
  }
}
