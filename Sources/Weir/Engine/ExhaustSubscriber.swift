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
    inGate {
      isIdle ? () : nil
    } then: {
      open(input)
    }
    return .none
  }

  /// Does something inside the gate, and what follows from it outside.
  ///
  /// - Parameters:
  ///   - step: Returns `nil` if nothing follows. Only the holder of the gate calls this.
  ///   - next: What follows, unless this thread is inside further up its stack: then it runs in place.
  @inlinable
  func inGate<Found>(_ step: @escaping () -> Found?, then next: @escaping (Found) -> Void) {
    switch fan.enterOwned() ? .entered : fan.enterShared(.short, { false }) {
    case .entered:
      let found = step()
      fan.leave(fan.process)
      if let found { next(found) }
    case .nested:
      if !fan.tookBehindOthers(later(step, next), fan.process), let found = step() { next(found) }
    case .taken: fan.handOver(later(step, next), fan.process)
    }
  }

  @inlinable
  func later<Found>(
    _ step: @escaping () -> Found?, _ next: @escaping (Found) -> Void
  ) -> FanSignal<Downstream.Input, Downstream.Failure> {
    .inner { if let found = step() { self.fan.owe(.run { next(found) }) } }
  }

  /// Whether no stream is open and nothing of the former one waits. Only the holder of the gate may ask.
  @inlinable
  var isIdle: Bool { !fan.isOver && !fan.outerHasEnded && fan.open == 0 && fan.buffer.isEmpty }

  /// Makes the stream for a value, outside the gate, and subscribes to it if none has been opened meanwhile, perhaps by the
  /// closure itself.
  @inlinable
  func open(_ input: Input) {
    let inner = makeInner(input)
    // Making it is user code, which may have cancelled.
    guard !fan.ledger.isCancelled else { return }
    inGate {
      isIdle ? fan.openNext() : nil
    } then: {
      fan.subscribe(to: inner, $0)
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    fan.receive(.outerEnd(completion), fan.patience(completion))
  }

  @usableFromInline package var description: String { "\(fan.name)" }
}
