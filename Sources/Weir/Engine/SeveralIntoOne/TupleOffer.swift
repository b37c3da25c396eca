// Values that senders of zip and combineLatest leave to the thread that is calling the subscriber.

/// A value that its sender brings while another thread is calling the subscriber.
///
/// As with Combine, a value that completes no tuple is stored while that lasts, and its sender goes on. Whether it
/// completes one must not change between the look and the storing, or the holder of the gate would deliver a tuple that
/// it didn't cause. So the value is left in the holder's queue first, which then can't leave the gate without it. Only
/// then its sender decides, under the link's `lock`, with a look at what is stored and at what others have left before;
/// where it finds that it must wait for the subscriber, it takes the value back. A holder that comes to the value
/// earlier decides in the same way.
@safe
@usableFromInline
package final class TupleOffer {
  @frozen
  @usableFromInline
  enum State {
    /// Nobody has decided.
    case open
    /// Its sender has become the holder with it.
    case own
    /// The holder stores it.
    case left
    /// Its sender has it, and waits.
    case withdrawn
  }

  // SAFETY (exclusivity): under the link's `lock` only.
  @safe @exclusivity(unchecked) @usableFromInline var state = State.open
  @usableFromInline let lane: TupleLane
  /// Takes the value, given whether the caller is its sender. The holder of the gate calls it, once at most.
  @usableFromInline let take: (Bool) -> Void

  @inlinable
  init(for lane: TupleLane, take: @escaping (Bool) -> Void) {
    self.lane = lane
    self.take = take
  }
}

extension TupleLink {
  /// A value of a lane as a signal to be taken later.
  @inlinable
  func later<Value>(_ value: Value, from lane: TypedTupleLane<Value>, isNoted: Bool = false) -> TupleSignal {
    .work {
      let demand = self.deliver(value, from: lane, isNoted: isNoted)
      self.owe(answer: demand, to: lane.subscription) { self.process($0) }
    }
  }

  /// Says of a value of a lane, while another thread delivers a tuple, that it makes none now. Under `lock` only.
  @usableFromInline
  func completesNone(_ lane: TupleLane) -> Bool {
    if cancelled.hasFired { return true }
    // With what the lanes had when the delivery began. (publish in `deliver`)
    return look.acquireLoad() != 0 && (Policy.keepsLatest ? asking == 0 : !fillsLast(lane))
  }

  /// Whether every other lane has a value, one that is noted among them. Under `lock` only.
  @usableFromInline
  func fillsLast(_ lane: TupleLane) -> Bool {
    // Noted first: the holder forgets a note when the value is stored.
    lanes.allSatisfy { $0 === lane || $0.noted > 0 || !$0.isEmpty }
  }

  /// Leaves a value to the thread that holds the gate, if it makes no tuple.
  ///
  /// - Returns: `false` if the caller has the value still, and has to wait.
  @inlinable
  func offer<Value>(_ value: Value, from lane: TypedTupleLane<Value>) -> Bool {
    let offer = TupleOffer(for: lane) { isOwn in
      let demand = isOwn ? self.deliver(value, from: lane) : self.store(value, in: lane)
      self.owe(answer: demand, to: lane.subscription) { self.process($0) }
    }
    guard gate.handOver(.offer(offer)) else { return withLock { leaves(offer) } }
    withLock { if case .open = offer.state { offer.state = .own } }
    settle { process($0) }
    return withLock { offer.state != .withdrawn }
  }

  /// Decides about a value whose sender is not the holder. Under `lock` only.
  ///
  /// - Returns: Whether the value is left for good.
  @usableFromInline
  func leaves(_ offer: TupleOffer) -> Bool {
    guard case .open = offer.state else { return offer.state != .withdrawn }
    decide(offer, isLeft: completesNone(offer.lane))
    return offer.state == .left
  }

  @usableFromInline
  func decide(_ offer: TupleOffer, isLeft: Bool) {
    offer.state = isLeft ? .left : .withdrawn
    if isLeft, !Policy.keepsLatest { offer.lane.noted += 1 }
  }

  /// Takes a value that was left in the queue. Only the holder of the gate may call this.
  @usableFromInline
  func take(_ offer: TupleOffer) {
    let state = withLock {
      if case .open = offer.state { decide(offer, isLeft: !makesTuple(offer.lane)) }
      return offer.state
    }
    if state != .withdrawn { offer.take(state == .own) }
  }

  /// Whether a value of a lane would make a tuple. Only the holder of the gate may call this, under `lock`.
  @usableFromInline
  func makesTuple(_ lane: TupleLane) -> Bool {
    guard !isOver, !cancelled.hasFired, !lane.hasEnded else { return false }
    return fillsLast(lane) && (!Policy.keepsLatest || wanted > .none)
  }

  /// Stores a value whose sender has left it. Of zip, it delivers a tuple if values of the caller's own have been noted
  /// since, and this one is the last that is missing; a value of combineLatest replaces the former one, and that is
  /// all.
  @inlinable
  func store<Value>(_ value: Value, in lane: TypedTupleLane<Value>) -> Subscribers.Demand {
    guard Policy.keepsLatest else { return deliver(value, from: lane, isNoted: true) }
    guard !isOver, !cancelled.hasFired, !lane.hasEnded else { return .none }
    if lane.isEmpty { missing -= 1 }
    withExtendedLifetime(lane.replace(value)) {}
    return .none
  }
}
