// Storing a value and delivering it as two calls, for those who store under a lock of their own.

import WeirQueues

/// What is left to do for a value that has its place in the order of delivery.
@frozen
@usableFromInline
package enum Reservation {
  /// The caller holds the gate and delivers the value.
  case deliver
  /// The value is in the queue, and the caller holds the gate and delivers all that is there.
  case settle
  /// The value is in the queue, and nobody need hold the gate. Whoever takes from the queue delivers it, at the latest
  /// the caller.
  case later
  /// Another delivery, further up the stack or of another thread, takes the value along.
  case nothing
}

extension SubjectCore {
  /// Stores the newest value and takes a place in the order of delivery, without calling a subscriber.
  ///
  /// Unlike `update`, a value that comes from within a delivery goes behind it: every subscriber sees all values in one
  /// order. Only for subjects that were made with a value.
  ///
  /// - Parameters:
  ///   - value: What present subscribers get.
  ///   - newest: What is kept for those who come later, or who ask after having missed some.
  ///   - isLater: Whether `deliver` may be called much later, and on another thread. The gate is not held until then;
  ///     others deliver the value before theirs.
  /// - Returns: What `deliver` is to do.
  @inlinable
  package func reserve(_ value: Output, keeping newest: Output, deliveringLater isLater: Bool = false) -> Reservation {
    // The former value is freed after the lock: its `deinit` may be user code.
    var exchanged = newest
    return stored.withLock { state in
      guard store(&exchanged, in: &state, false) else { return .nothing }
      let entry = isLater ? nil : gate.tryEnter()
      return entry == .entered && !gate.hasQueued ? .deliver : reserveInQueue(value, entry)
    }
  }

  /// Takes a place behind the values that are in the queue, or behind the delivery that is under way.
  ///
  /// - Parameter entry: How the caller has found the gate; `nil` if it has not looked.
  @inlinable @inline(never)
  func reserveInQueue(_ value: Output, _ entry: Gate<Signal>.Entry?) -> Reservation {
    guard entry == nil || entry == .entered else { return gate.handOver(.value(value)) ? .settle : .nothing }
    gate.enqueue(.value(value))
    return entry == nil ? .later : .settle
  }

  /// Delivers what was reserved.
  ///
  /// - Parameters:
  ///   - value: The value that was passed to `reserve`.
  ///   - reservation: What `reserve` returned.
  @inlinable
  package func deliver(_ value: Output, _ reservation: Reservation) {
    switch reservation {
    case .deliver:
      process(.value(value))
      leave()
    case .settle:
      takeQueued()
      leave()
    case .later: deliverQueued()
    case .nothing: break
    }
  }

  /// Sees to it that what is in the queue is delivered: here, or by who holds the gate.
  @inlinable
  func deliverQueued() {
    guard gate.tryEnter() == .entered || gate.noteQueued() else { return }
    takeQueued()
    leave()
  }
}
