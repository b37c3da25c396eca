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
    switch fan.enter() {
    case .entered:
      offer(input)
      fan.leave(fan.process)
    case .nested: offer(input)
    case .taken: fan.handOver(.inner { self.offer(input) }, fan.process)
    }
    return .none
  }

  /// Opens a stream if none is open and nothing of the former one waits. Only the holder of the gate may call this.
  @inlinable
  func offer(_ input: Input) {
    guard !fan.isOver, !fan.outerHasEnded, fan.open == 0, fan.buffer.isEmpty else { return }
    fan.subscribe(to: makeInner(input))
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) { fan.receive(.outerEnd(completion)) }

  @usableFromInline package var description: String { "\(fan.name)" }
}
