// The subscribers that feed a fan: one to each inner stream, one to the stream of streams.

import WeirQueues

/// The subscriber to one inner stream.
@frozen
@usableFromInline
struct LaneSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let fan: Fan<Downstream>
  @usableFromInline let lane: LaneID
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(_ fan: Fan<Downstream>, _ lane: LaneID) {
    self.fan = fan
    self.lane = lane
  }

  @inlinable
  func receive(subscription: any Subscription) { fan.receive(Link.of(subscription), for: lane) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    // SAFETY: whoever calls this has the subscriber, and so the fan, until it returns. Several threads that each count a
    // reference to the fan for every value take its count from each other.
    unsafe Unmanaged.passUnretained(fan)._withUnsafeGuaranteedRef { $0.receive(input, from: lane) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { fan.receive(completion, from: lane) }

  @usableFromInline var description: String { "\(fan.name)" }
}

/// The subscriber to the stream whose values become inner streams.
@frozen
@usableFromInline
struct OuterSubscriber<Input, Inner: Publisher, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let fan: Fan<Downstream>
  @usableFromInline let makeInner: (Input) -> Inner

  @inlinable
  init(_ fan: Fan<Downstream>, _ makeInner: @escaping (Input) -> Inner) {
    self.fan = fan
    self.makeInner = makeInner
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { fan.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { fan.receive(.outerSubscription(Link.of(subscription))) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if !fan.ledger.isCancelled { fan.open(makeInner(input)) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { fan.receive(.outerEnd(completion), fan.patience(completion)) }

  @usableFromInline var description: String { "\(fan.name)" }
}
