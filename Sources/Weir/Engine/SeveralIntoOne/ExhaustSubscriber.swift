// Opens an inner stream only while none is open: what flatMapFirst adds to the engine of flatMap.

import WeirQueues

/// The subscriber to a stream whose values become inner streams, one at a time; values that come meanwhile are dropped.
@frozen
@usableFromInline
package struct ExhaustSubscriber<Input, Inner: Publisher, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let link: FlattenLink<Downstream>
  @usableFromInline let makeInner: (Input) -> Inner

  /// Hands the downstream its subscription.
  @inlinable
  package init(
    _ downstream: HeldSubscriber<Downstream>, name: StaticString, _ makeInner: @escaping (Input) -> Inner
  ) {
    link = FlattenLink(downstream: downstream, policy: .fair(maxPublishers: .unlimited, cancelsOuter: true), name: name)
    self.makeInner = makeInner
    link.withDownstream { $0.receive(subscription: link) }
  }

  @inlinable
  package var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  package func receive(subscription: any Subscription) { link.receive(.outerSubscription(Link.of(subscription))) }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    inGate(.look(input))
    return .none
  }

  /// What is done inside the gate.
  @usableFromInline
  enum Step {
    /// To look whether a value is to become a stream.
    case look(Input)
    /// To open the stream that was made after such a look; values that came meanwhile were dropped.
    case open(Inner)
  }

  /// What follows from a step, outside the gate.
  @usableFromInline
  enum Next {
    case make(Input)
    case subscribe(Inner, LaneID)
  }

  /// Takes a step inside the gate and does outside what follows from it; a thread that is inside already, further up
  /// its stack, does it in place.
  @inlinable
  func inGate(_ step: Step) {
    switch link.enterOwned() ? .entered : link.enterShared(.short, { false }) {
    case .entered:
      let next = take(step)
      link.leave { link.process($0) }
      if let next { goOn(next) }
    case .nested:
      if !link.tookBehindOthers(later(step), { link.process($0) }), let next = take(step) { goOn(next) }
    case .taken: link.handOver(later(step)) { link.process($0) }
    }
  }

  @inlinable
  func later(_ step: Step) -> FlattenSignal<Downstream.Input, Downstream.Failure> {
    .inner { if let next = take(step) { link.owe(.run { goOn(next) }) } }
  }

  /// Takes a step. Only the holder of the gate may call this.
  ///
  /// - Returns: `nil` if nothing follows.
  @inlinable
  func take(_ step: Step) -> Next? {
    switch step {
    case .look(let input):
      guard isIdle else { return nil }
      link.isMaking = true
      return .make(input)
    case .open(let inner):
      // The outer stream may have ended meanwhile: its value came before that.
      link.isMaking = false
      return link.isOver ? nil : .subscribe(inner, link.openLane())
    }
  }

  @inlinable
  func goOn(_ next: Next) {
    switch next {
    case .make(let input):
      let inner = makeInner(input)
      // Making it is user code, which may have cancelled: then nobody looks any more.
      if !link.ledger.isCancelled { inGate(.open(inner)) }
    case .subscribe(let inner, let lane): link.subscribe(to: inner, lane)
    }
  }

  /// Whether no stream is open or being made, and nothing of the former one waits. Only the holder of the gate may ask.
  @inlinable
  var isIdle: Bool {
    !link.isOver && !link.outerHasEnded && !link.isMaking && link.open == 0 && link.buffer.isEmpty
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    link.receive(.outerEnd(completion), link.patience(completion))
  }

  @usableFromInline package var description: String { "\(link.name)" }
}
