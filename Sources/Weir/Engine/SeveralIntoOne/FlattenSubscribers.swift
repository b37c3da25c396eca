// The subscribers that feed a flattening link: one to each inner stream, one to the stream of streams.

import WeirQueues

/// The subscriber to one inner stream.
@frozen
@usableFromInline
struct LaneSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: FlattenLink<Downstream>
  @usableFromInline let lane: LaneID
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(_ link: FlattenLink<Downstream>, _ lane: LaneID) {
    self.link = link
    self.lane = lane
  }

  @inlinable
  func receive(subscription: any Subscription) { link.receive(Link.of(subscription), for: lane) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    // SAFETY: whoever calls this has the subscriber, and so the link, until it returns. Several threads that each count
    // a reference to the link for every value take its count from each other.
    unsafe Unmanaged.passUnretained(link)._withUnsafeGuaranteedRef { $0.receive(input, from: lane) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { link.receive(completion, from: lane) }

  @usableFromInline var description: String { "\(link.name)" }
}

/// Where the lane of an inner stream will be that was subscribed to while another thread held the gate.
@safe
@usableFromInline
final class EarlyLane {
  /// `nil` before it is there, and if it is not to be. SAFETY (exclusivity): the holder of the link's gate alone
  /// touches it.
  @safe @exclusivity(unchecked) @usableFromInline var lane: LaneID?

  @inlinable
  init() {}
}

/// The subscriber to such a stream. What it hands over is taken behind the signal that makes the lane.
@usableFromInline
struct EarlyLaneSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: FlattenLink<Downstream>
  @usableFromInline let place: EarlyLane
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @usableFromInline
  init(_ link: FlattenLink<Downstream>, _ place: EarlyLane) {
    self.link = link
    self.place = place
  }

  @usableFromInline
  func receive(subscription: any Subscription) { link.receiveEarly(Link.of(subscription)) { place.lane } }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand { link.receive(input, fromEarly: place) }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    link.receive(.inner { if let lane = place.lane { link.finish(completion, lane) } }, link.patience(completion))
  }

  @usableFromInline var description: String { "\(link.name)" }
}

extension FlattenLink {
  /// Takes the subscription of a stream while another thread holds the gate, and asks at once for what a lane is asked
  /// for in any case: what is sent next may need it. Whoever stores the subscription asks for the rest.
  ///
  /// - Parameter lane: Names the stream's lane, inside the gate; `nil` if it is to have none.
  @usableFromInline
  func receiveEarly(_ subscription: Link, for lane: @escaping () -> LaneID?) {
    if ledger.isCancelled { return subscription.cancel() }
    let asked: Subscribers.Demand = ledger.isUnlimited ? .unlimited : switches ? .none : .max(1)
    receive(
      .inner {
        guard let lane = lane() else { return self.owe(.cancel(subscription)) }
        let due = self.begin(subscription, lane)
        if due != .none, asked != .unlimited, due != asked { self.owe(.ask(subscription, due, then: .none)) }
      })
    if asked != .none { subscription.request(asked) }
  }

  /// Takes a value of a stream that had no lane when it was subscribed to.
  ///
  /// - Returns: The lane's next demand, as far as it is known at once.
  @usableFromInline
  func receive(_ value: Value, fromEarly place: EarlyLane) -> Subscribers.Demand {
    switch enterOwned() ? .entered : enterShared(.long, { ledger.hasNone }) {
    case .entered:
      let demand = place.lane.map { deliver(value, from: $0) } ?? .none
      leave { process($0) }
      return demand
    case .nested:
      let later = FlattenSignal<Value, Failure>.inner { if let lane = place.lane { self.process(.value(value, lane)) } }
      if tookBehindOthers(later, { process($0) }) { return .none }
      let demand = place.lane.map { deliver(value, from: $0) } ?? .none
      leaveNested { process($0) }
      return demand
    case .taken:
      handOver(.inner { if let lane = place.lane { self.process(.value(value, lane)) } }) { process($0) }
      return .none
    }
  }
}

/// The subscriber to the stream whose values become inner streams.
@frozen
@usableFromInline
struct OuterSubscriber<Input, Inner: Publisher, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: FlattenLink<Downstream>
  @usableFromInline let makeInner: (Input) -> Inner

  @inlinable
  init(_ link: FlattenLink<Downstream>, _ makeInner: @escaping (Input) -> Inner) {
    self.link = link
    self.makeInner = makeInner
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { link.receive(.outerSubscription(Link.of(subscription))) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if !link.ledger.isCancelled { link.open(makeInner(input)) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    link.receive(.outerEnd(completion), link.patience(completion))
  }

  @usableFromInline var description: String { "\(link.name)" }
}

extension LaneSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror {
    Mirror(of: self, children: link.showsParent ? ["parentSubscription": link.combineIdentifier] : [:])
  }
  @usableFromInline var playgroundDescription: Any { description }
}

extension FlattenLink {
  /// Whether inner streams depend on another one, and mirrors of their subscribers name its subscription.
  var showsParent: Bool { refusesNone }
}

extension OuterSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
  @usableFromInline var playgroundDescription: Any { description }
}
