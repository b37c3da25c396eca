// The subscribers to a stream and to the one that takes its place when it ends: the engine of append, prepend and
// catch.

/// What tells append, catch and tryCatch apart.
@usableFromInline
package protocol SuccessionPolicy<Input, UpstreamFailure, Failure> {
  /// The kind of values.
  associatedtype Input
  /// The kind of error of the first stream.
  associatedtype UpstreamFailure: Error
  /// The stream that may follow.
  associatedtype Successor: Publisher where Successor.Output == Input
  /// The kind of error that goes out.
  associatedtype Failure: Error

  /// The operator's name, as Combine shows it.
  static var name: String { get }

  /// Whether values outside the streams' lives are passed on, while a further failure of the first stream or a value
  /// without demand traps, and being asked for nothing too. All that is ignored otherwise.
  static var isTrusting: Bool { get }

  /// Takes the end of the first stream.
  func follow(_ completion: Subscribers.Completion<UpstreamFailure>) -> Following<Successor, Failure>

  /// Converts the successor's error.
  static func convert(_ failure: Successor.Failure) -> Failure
}

/// What comes after a stream.
@frozen
@usableFromInline
package enum Following<Successor, Failure: Error> {
  /// Another stream.
  case stream(Successor)
  /// The end.
  case end(Subscribers.Completion<Failure>)
}

extension SuccessionPolicy {
  /// Makes the subscriber to the first stream.
  @inlinable @inline(__always)
  func makeSubscriber<Downstream: Subscriber>(_ downstream: Downstream) -> FirstSubscriber<Self, Downstream> {
    FirstSubscriber(SuccessionLink(name: Self.name, refusesNone: Self.isTrusting, kept: self), downstream)
  }
}

extension SuccessionPolicy where Successor.Failure == Failure {
  @inlinable
  package static func convert(_ failure: Successor.Failure) -> Failure { failure }
}

/// The subscriber to the first stream.
@frozen
@usableFromInline
struct FirstSubscriber<Policy: SuccessionPolicy, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Input, Downstream.Failure == Policy.Failure {
  @usableFromInline typealias Input = Policy.Input
  @usableFromInline typealias Failure = Policy.UpstreamFailure

  @usableFromInline let link: SuccessionLink<Policy, Subscribers.Completion<Policy.Failure>>
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ link: SuccessionLink<Policy, Subscribers.Completion<Policy.Failure>>, _ downstream: Downstream) {
    self.link = link
    self.downstream = downstream
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    // As a link of no particular type: to name the type of this one needs more stack.
    if link.connect(subscription) { downstream.receive(subscription: link as Link) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard link.take() else { return receiveStray(input) }
    return link.giveBack(downstream.receive(input))
  }

  @inlinable @inline(never)
  func receiveStray(_ input: Input) -> Subscribers.Demand {
    guard Policy.isTrusting else { return .none }
    let isUnwanted = link.isAt(.awaiting) || link.isAt(.active) && !link.ledger.isCancelled
    precondition(
      !isUnwanted, "API violation: \(Policy.name) received a value that it had not asked for\(CheckpointTrail.text)")
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if let end = goOn(after: completion) { downstream.receive(completion: end) }
  }

  /// Subscribes to the stream that follows, if there is one.
  ///
  /// - Returns: The end of the stream if it has come, or of what follows if that has ended at once.
  @inlinable @inline(never)
  func goOn(after completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Policy.Failure>? {
    guard let policy = link.beginSuccession() else {
      refuse(completion)
      return nil
    }
    switch policy.follow(completion) {
    case .stream(let successor):
      // The policy is user code, which may have cancelled.
      guard link.isAt(.between) else { return nil }
      let last = LastSubscriber(link, downstream)
      if let known = Policy.Successor.self as? any KnownStream.Type, known.isSilentAfterItsEnd {
        return link.openLast { successor.receive(subscriber: last) }
      }
      successor.receive(subscriber: last)
      return nil
    case .end(let completion): return link.complete(at: .between) ? completion : nil
    }
  }

  @inlinable @inline(never)
  func refuse(_ completion: Subscribers.Completion<Failure>) {
    guard Policy.isTrusting, case .failure = completion else { return }
    precondition(
      link.isAt(.over), "API violation: \(Policy.name) received a failure out of place\(CheckpointTrail.text)")
  }

  @usableFromInline var description: String { link.description }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror {
    Mirror(
      of: self, children: Policy.isTrusting ? ["downstream": downstream, "demand": link.ledger.demand] : [:])
  }
}

/// The subscriber to the stream that takes the first one's place.
@frozen
@usableFromInline
struct LastSubscriber<Policy: SuccessionPolicy, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Input, Downstream.Failure == Policy.Failure {
  @usableFromInline typealias Input = Policy.Input
  @usableFromInline typealias Failure = Policy.Successor.Failure

  @usableFromInline let link: SuccessionLink<Policy, Subscribers.Completion<Policy.Failure>>
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ link: SuccessionLink<Policy, Subscribers.Completion<Policy.Failure>>, _ downstream: Downstream) {
    self.link = link
    self.downstream = downstream
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { link.connectLast(subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard Policy.isTrusting || link.isAt(.last) else { return .none }
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    let end: Subscribers.Completion<Policy.Failure> =
      switch completion {
      case .finished: .finished
      case .failure(let failure): .failure(Policy.convert(failure))
      }
    if link.completeLast(end) { downstream.receive(completion: end) }
  }

  @usableFromInline var description: String { link.description }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { FirstSubscriber(link, downstream).customMirror }
}
