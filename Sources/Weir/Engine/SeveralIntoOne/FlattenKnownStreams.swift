// How a flattening link opens a stream, and passes on one that is known without subscribing to it.
// No test file: KnownStreamTests and FlattenLinkTests do what is here.

import WeirQueues

/// Where passing on a known stream has left the caller.
@frozen
@usableFromInline
enum Passage {
  /// Nowhere else: the stream is not known.
  case unknown
  /// In the gate, as before.
  case inside
  /// In the gate, which it has left in between, so that it doesn't own it any more.
  case back
  /// Outside the gate, to which the rest of the stream was handed over.
  case outside
}

/// What has become of an inner stream.
@frozen
@usableFromInline
enum Opening {
  /// It was passed on, or is not wanted any more.
  case done
  /// It has its place, and is to be subscribed to outside the gate.
  case lane(LaneID)
  /// It was passed on, and the gate is left already.
  case outside
}

// What a flattening link does with a known stream.
extension FlattenLink {
  /// Subscribes to an inner stream, outside the gate, or passes on inside what it is known to publish.
  @inlinable @inline(__always)
  func open<Inner: Publisher>(_ inner: Inner) where Inner.Output == Value, Inner.Failure == Failure {
    guard enterOwned() else { return openShared(inner) }
    guard passesOn else { return openEntered(inner) }
    switch passOn(inner) {
    case .unknown: openEntered(inner)
    case .inside: if !passesOn || !leaveOwned() { settleAll() }
    case .back: leave { process($0) }
    case .outside: break
    }
  }

  /// Opens a stream where the gate is not the caller's own. A thread that has just entered leaves the gate again before
  /// anything is cancelled or subscribed to; one that is inside already, further up its stack, can't, and does it
  /// there.
  @inlinable @inline(never)
  func openShared<Inner: Publisher>(_ inner: Inner) where Inner.Output == Value, Inner.Failure == Failure {
    switch enterShared(.short, { false }) {
    case .entered: openEntered(inner)
    case .nested:
      if tookBehindOthers(later(inner), { process($0) }) { return }
      // A cancellation is user code, which may open another stream, or end it all.
      while hasFormer { closeFormer()?.cancel() }
      let way = flatten(inner, isNested: true)
      leaveNested { process($0) }
      if case .lane(let lane) = way { subscribe(to: inner, lane) }
    case .taken: if waits { openEarly(inner) } else { handOver(later(inner)) { process($0) } }
    }
  }

  /// Subscribes to an inner stream whose place another thread is to take, as that one may be kept by what it is
  /// calling. The values come on this thread, before it goes on, and wait for their turn: the place is taken by then.
  @inlinable
  func openEarly<Inner: Publisher>(_ inner: Inner) where Inner.Output == Value, Inner.Failure == Failure {
    let place = EarlyLane()
    handOver(.inner { place.lane = self.openNext() }) { process($0) }
    inner.receive(subscriber: EarlyLaneSubscriber(self, place))
  }

  /// An inner stream as a signal to be taken later.
  @inlinable
  func later<Inner: Publisher>(_ inner: Inner) -> FlattenSignal<Value, Failure>
  where Inner.Output == Value, Inner.Failure == Failure {
    .inner {
      // The place is taken at once, as what stands behind this in the queue is newer, or the end.
      if let (former, lane) = self.replaceFormer() {
        return self.owe(
          .run {
            former.cancel()
            if !self.ledger.isCancelled { self.subscribe(to: inner, lane) }
          })
      }
      if case .lane(let lane) = self.flatten(inner, isNested: true) {
        self.owe(.run { self.subscribe(to: inner, lane) })
      }
    }
  }

  /// Opens a stream for a thread that has entered the gate for that, and leaves the gate.
  @inlinable @inline(never)
  func openEntered<Inner: Publisher>(_ inner: Inner) where Inner.Output == Value, Inner.Failure == Failure {
    if hasFormer, let former = closeFormer() {
      leave { process($0) }
      return open(inner, replacing: former)
    }
    let way = flatten(inner, isNested: false)
    if case .outside = way { return }
    leave { process($0) }
    if case .lane(let lane) = way { subscribe(to: inner, lane) }
  }

  /// Cancels the stream that another one replaces, outside the gate, and opens that one. The cancellation is user code,
  /// which may open a stream, to be replaced in its turn, or end it all.
  @inlinable @inline(__always)
  func open<Inner: Publisher>(_ inner: Inner, replacing former: consuming Link)
  where Inner.Output == Value, Inner.Failure == Failure {
    former.cancel()
    // Freed before the next one takes memory.
    _ = consume former
    open(inner)
  }

  /// Passes on a known stream, or takes a place for another one. Only the holder of the gate may call this.
  ///
  /// - Parameter isNested: Whether the gate can't be left in between.
  @inlinable @inline(__always)
  func flatten<Inner: Publisher>(_ inner: Inner, isNested: Bool) -> Opening
  where Inner.Output == Value, Inner.Failure == Failure {
    if isKnown, asksForAll, ledger.isUnlimited, !outerHasEnded {
      if !switches {
        switch passOn(inner, isNested: isNested) {
        case .unknown: break
        case .inside, .back: return .done
        case .outside: return .outside
        }
      } else if passOnLatest(inner) {
        return .done
      }
    }
    return openNext().map(Opening.lane) ?? .done
  }

  /// Subscribes to an inner stream that has its place. The caller has left the gate.
  @inlinable @inline(__always)
  func subscribe<Inner: Publisher>(to inner: Inner, _ lane: LaneID)
  where Inner.Output == Value, Inner.Failure == Failure {
    inner.receive(subscriber: LaneSubscriber(self, lane))
  }

  /// Passes on a known stream, which only counts: nothing but the end of all can cut it off. A long one lets others in
  /// between two values, once they sleep.
  ///
  /// - Parameter isNested: Whether the gate can't be left in between.
  @inlinable @inline(__always)
  func passOn<Inner: Publisher>(_ inner: Inner, isNested: Bool = false) -> Passage
  where Inner.Output == Value, Inner.Failure == Failure {
    guard let known = Inner.self as? any KnownStream.Type, known.isKnown(inner) else { return .unknown }
    open &+= 1
    var passage = Passage.inside
    let end = known.publish(
      inner, { value in if passage == .outside { handOverPassed(value) } else { _ = pass(value) } },
      while: {
        if gate.isWanted, !isNested, passage != .outside { passage = makeWay { process($0) } ? .back : .outside }
        // A cancellation and an end both leave the demand limited.
        return ledger.isUnlimited
      })
    if passage == .inside, passesOn, case .finished? = end {
      open &-= 1
    } else if let end {
      if passage == .outside { handOver(.passedEnd(end)) { process($0) } } else { closeCounted(end) }
    }
    return passage
  }

  @inlinable @inline(never)
  func handOverPassed(_ value: Value) { handOver(.passed(value)) { process($0) } }

  /// Goes on after the end of a stream that only counted.
  @inlinable @inline(never)
  func closeCounted(_ end: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    open &-= 1
    goOn(after: end)
  }

  /// Passes on a known stream that has a lane, so that it can be told whether a newer one has taken its place.
  ///
  /// - Returns: Whether the stream is known.
  @inlinable @inline(__always)
  func passOnLatest<Inner: Publisher>(_ inner: Inner) -> Bool where Inner.Output == Value, Inner.Failure == Failure {
    guard let known = Inner.self as? any KnownStream.Type, known.isKnown(inner) else { return false }
    guard !isOver, !outerHasEnded else { return true }
    let lane = openLane()
    let end = known.publish(
      inner,
      { value in
        let more = pass(value)
        if more != .none { _ = answer(more, lane) }
      }, while: { isWelcome(lane) })
    if let end { finish(end, lane) }
    return true
  }

  /// Whether a further value is to be delivered at once: it wasn't cancelled and nothing has ended it, neither of which
  /// leaves the demand unlimited, and no newer stream has taken the lane's place.
  @inlinable @inline(__always)
  func isWelcome(_ lane: LaneID) -> Bool { ledger.isUnlimited && isCurrent(lane) }
}
