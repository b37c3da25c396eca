// Opens an inner stream only while none is open: what flatMapFirst adds to the engine of flatMap.

import WeirQueues

/// The subscriber to a stream whose values become inner streams, one at a time; values that come meanwhile are dropped.
@frozen
@usableFromInline
package struct ExhaustSubscriber<Input, Inner: Publisher, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let fan: Fan<Downstream>
  @usableFromInline let makeInner: (Input) -> Inner

  /// Hands the downstream its subscription.
  @inlinable
  package init(_ downstream: Downstream, name: StaticString, _ makeInner: @escaping (Input) -> Inner) {
    fan = Fan(downstream: downstream, policy: .fair(maxPublishers: .unlimited), name: name)
    self.makeInner = makeInner
    downstream.receive(subscription: fan)
  }

  @inlinable
  package var combineIdentifier: CombineIdentifier { fan.combineIdentifier }

  @inlinable
  package func receive(subscription: any Subscription) { fan.receive(.outerSubscription(Link.of(subscription))) }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    switch fan.enterOwned() ? .entered : fan.enterShared(.short, { false }) {
    case .entered:
      let lane = offer()
      fan.leave(fan.process)
      if let lane { open(input, lane) }
    case .nested:
      fan.enterNested(fan.process)
      if let lane = offer() { open(input, lane) }
    case .taken:
      let open = { if let lane = self.offer() { self.fan.owe(.run { self.open(input, lane) }) } }
      fan.handOver(.inner(open), fan.process)
    }
    return .none
  }

  /// Takes a place for a stream if none is open and nothing of the former one waits. Only the holder of the gate may call
  /// this.
  @inlinable
  func offer() -> LaneID? {
    guard !fan.isOver, !fan.outerHasEnded, fan.open == 0, fan.buffer.isEmpty else { return nil }
    return fan.openNext()
  }

  /// Makes the stream for a value and subscribes to it, outside the gate.
  @inlinable
  func open(_ input: Input, _ lane: LaneID) {
    let inner = makeInner(input)
    // Making it is user code, which may have cancelled.
    if !fan.ledger.isCancelled { fan.subscribe(to: inner, lane) }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) { fan.receive(.outerEnd(completion), fan.patience(completion)) }

  @usableFromInline package var description: String { "\(fan.name)" }
}
