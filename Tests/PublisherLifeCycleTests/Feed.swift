// What stands above a specimen: a script that does also what no publisher may do, or one of several publishers.

import TestKit
import Weir

/// Feeds a specimen.
struct Feed {
  /// What feeds it.
  enum Kind {
    /// It does what it is told, whatever that is.
    case script
    /// It keeps the rules: it sends nothing that wasn't asked for, and nothing after its end or a cancellation.
    case publisher
    /// It also tells those who come later of its end, as a subject does.
    case likeSubject
    /// It sends 1, 2, 3 as they are asked for, and finishes.
    case likeSequence
    case subject, sequence
  }

  /// The publisher itself.
  let publisher: Specimen.Upstream
  private let object: AnyObject
  private let value: (Payload) -> Void
  private let completion: (Subscribers.Completion<TestFailure>) -> Void

  /// Makes what feeds a specimen.
  ///
  /// - Parameters:
  ///   - kind: What feeds it.
  ///   - script: The script, if that does.
  ///   - lifetimes: Counts the values.
  init(_ kind: Kind, _ script: ScriptedPublisher<Payload, TestFailure>, _ lifetimes: Lifetimes) {
    let numbers = [1, 2, 3]
    switch kind {
    case .script:
      self.init(script, script, { _ = script.subscriber?.receive($0) }, { script.subscriber?.receive(completion: $0) })
    case .publisher, .likeSubject, .likeSequence:
      let publisher = RegularPublisher(
        kind == .likeSequence ? numbers.map { Payload($0, lifetimes) } : nil, remembersItsEnd: kind == .likeSubject)
      self.init(
        publisher, publisher, { publisher.subscription?.send($0) }, { publisher.send(completion: $0) })
    case .subject:
      let subject = PassthroughSubject<Payload, TestFailure>()
      self.init(subject, subject, { subject.send($0) }, { subject.send(completion: $0) })
    case .sequence:
      let values = Publishers.Sequence<[Payload], TestFailure>(sequence: numbers.map { Payload($0, lifetimes) })
      self.init(values, script, { _ in }, { _ in })
    }
  }

  private init<Source: Publisher>(
    _ source: Source, _ object: AnyObject, _ value: @escaping (Payload) -> Void,
    _ completion: @escaping (Subscribers.Completion<TestFailure>) -> Void
  ) where Source.Output == Payload, Source.Failure == TestFailure {
    publisher = source.eraseToAnyPublisher()
    self.object = object
    self.value = value
    self.completion = completion
  }

  /// What lives on where somebody needs the upstream after its end.
  var kept: AnyObject? {
    guard let regular = object as? RegularPublisher, !regular.remembersItsEnd else { return object }
    return regular.subscription
  }

  func send(_ payload: Payload) { value(payload) }
  func send(completion end: Subscribers.Completion<TestFailure>) { completion(end) }
}

/// A publisher that, as every good one, sends only what was asked for, and lets go of its subscriber when it ends or is
/// cancelled. It is as simple as can be.
final class RegularPublisher: Publisher {
  typealias Output = Payload
  typealias Failure = TestFailure

  final class Inner: Subscription {
    private var publisher: RegularPublisher?
    private var subscriber: AnySubscriber<Payload, TestFailure>?
    private var demand = Subscribers.Demand.none
    private var values: ArraySlice<Payload>?
    private var isSending = false

    fileprivate init(_ publisher: RegularPublisher, _ subscriber: AnySubscriber<Payload, TestFailure>) {
      self.publisher = publisher
      self.subscriber = subscriber
      values = publisher.values?[...]
    }

    func request(_ demand: Subscribers.Demand) {
      self.demand += demand
      guard values != nil, !isSending else { return }
      isSending = true
      while self.demand > .none, let value = values?.popFirst() { send(value) }
      isSending = false
      if values?.isEmpty == true { send(completion: .finished) }
    }

    func cancel() {
      subscriber = nil
      publisher = nil
    }

    func send(_ value: Payload) {
      guard demand > .none else { return }
      demand -= 1
      if let more = subscriber?.receive(value) { demand += more }
    }

    func send(completion: Subscribers.Completion<TestFailure>) {
      let ended = subscriber
      cancel()
      ended?.receive(completion: completion)
    }
  }

  /// The newest subscription.
  private(set) weak var subscription: Inner?
  /// Whether it tells those who come later of its end.
  let remembersItsEnd: Bool
  private let values: [Payload]?
  private var end: Subscribers.Completion<TestFailure>?

  /// Creates a publisher.
  ///
  /// - Parameters:
  ///   - values: What it sends by itself; it waits to be told what to send if `nil`.
  ///   - remembersItsEnd: Whether it tells those who come later of its end.
  init(_ values: [Payload]?, remembersItsEnd: Bool) {
    self.values = values
    self.remembersItsEnd = remembersItsEnd
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Payload, S.Failure == TestFailure {
    let inner = Inner(self, AnySubscriber(subscriber))
    subscription = inner
    subscriber.receive(subscription: inner)
    if let end { inner.send(completion: end) }
  }

  func send(completion: Subscribers.Completion<TestFailure>) {
    guard end == nil else { return }
    if remembersItsEnd { end = completion }
    subscription?.send(completion: completion)
  }
}
