// The places of a flattening link's inner streams: taken, filled, freed for the next one.
// No test file: FlattenLinkTests and FlattenSubscribersTests do what is here.

import WeirQueues

/// An inner stream's place in the list.
@frozen
@usableFromInline
struct Lane {
  @usableFromInline var generation = 0
  @usableFromInline var isOpen = false
  @usableFromInline var subscription: Link?
  /// The next of the free lanes, while this is one; -1 at the end.
  @usableFromInline var nextFree = -1

  @inlinable
  init() {}
}

// Only the holder of the gate may call these.
extension FlattenLink {
  /// Whether a new inner stream is to replace another one first. Only the holder of the gate may ask.
  @inlinable @inline(__always)
  var hasFormer: Bool { switches && open > 0 && !isOver && !outerHasEnded }

  /// Takes the streams that a new one replaces out of their places, and drops what waits.
  ///
  /// - Returns: The one to cancel. There is none if another one has its place, but no subscription yet.
  @inlinable
  func closeFormer() -> Link? {
    var former: Link?
    for slot in 0..<lanes.count where lanes[slot].isOpen { former = close(slot) ?? former }
    if !buffer.isEmpty { _ = buffer.takeAll() }
    return former
  }

  /// Takes a place for an inner stream that replaces another one, which is to be cancelled. What comes meanwhile finds
  /// the place taken.
  @inlinable @inline(__always)
  func replaceFormer() -> (former: Link, lane: LaneID)? {
    guard hasFormer, let former = closeFormer() else { return nil }
    return (former, openLane())
  }

  /// Takes a place for an inner stream that replaces, or joins, the others.
  ///
  /// - Returns: The place of the stream, which is to be subscribed to outside the gate; `nil` if it is not to be
  ///   opened.
  @inlinable
  func openNext() -> LaneID? {
    guard !isOver, !outerHasEnded else { return nil }
    if let (former, lane) = replaceFormer() {
      owe(.cancel(former))
      return lane
    }
    return openLane()
  }

  /// Takes a place for an inner stream.
  @inlinable
  func openLane() -> LaneID {
    open += 1
    var slot = firstFree
    lock.lock()
    if slot < 0 {
      slot = lanes.count
      lanes.append(Lane())
    } else {
      firstFree = lanes[slot].nextFree
    }
    lanes[slot].isOpen = true
    lock.unlock()
    return LaneID(slot: slot, generation: lanes[slot].generation)
  }

  @inlinable @inline(__always)
  func isCurrent(_ lane: LaneID) -> Bool { lanes[lane.slot].generation == lane.generation }

  /// Stores a lane's subscription.
  ///
  /// - Returns: What it is to be asked for, outside the gate.
  @inlinable
  func begin(_ subscription: Link, _ lane: LaneID) -> Subscribers.Demand {
    guard !isOver, isCurrent(lane), lanes[lane.slot].subscription == nil else {
      owe(.cancel(subscription))
      return .none
    }
    lock.lock()
    let isKept = !isDetached
    if isKept { lanes[lane.slot].subscription = subscription }
    lock.unlock()
    guard isKept else {
      owe(.cancel(subscription))
      return .none
    }
    return switches ? ledger.demand : asksForAll ? .unlimited : .max(1)
  }

  /// Frees a lane's place.
  ///
  /// - Returns: The lane's subscription, unless another thread cancels all of them.
  @inlinable @discardableResult
  func close(_ slot: Int) -> Link? {
    lock.lock()
    let subscription = lanes[slot].subscription
    lanes[slot].subscription = nil
    lanes[slot].isOpen = false
    lanes[slot].generation += 1
    lanes[slot].nextFree = firstFree
    let isOurs = !isDetached
    lock.unlock()
    firstFree = slot
    open -= 1
    return isOurs ? subscription : nil
  }
}
