// How the role of the thread that delivers for others passes on, where senders hand their signals over.

import WeirQueues

/// What one thread delivers of what others have handed over before it looks for another one that takes over.
@frozen
@usableFromInline
package struct HandOverBudget {
  /// Signals.
  @usableFromInline static var signals: Int { 1024 }
  /// Nanoseconds.
  @usableFromInline static var time: Int { 1_000_000 }

  @usableFromInline var taken = 0
  @usableFromInline var since = 0

  @inlinable
  package init() {}

  /// Counts a signal that is about to be taken.
  ///
  /// - Returns: Whether enough had been taken before. The clock is read for one signal of eight.
  @inlinable
  mutating func isUsedUp() -> Bool {
    if since == 0 { since = monotonicNanoseconds() }
    taken += 1
    return taken > Self.signals || taken & 7 == 0 && monotonicNanoseconds() - since > Self.time
  }
}

/// A thread whose budget is used up marks the gate. The next sender that hands a signal over sees the mark, joins the line of
/// sleepers and is given the gate with all that is in the queue, between two signals. If none comes, nobody adds to the queue
/// either, and the thread delivers the rest.
extension Gate {
  /// Takes signals like `takeHandedOver`, until another thread has taken over.
  ///
  /// - Parameters:
  ///   - budget: What this thread may still take.
  ///   - deliver: Takes a signal.
  /// - Returns: `true` if another thread holds the gate now.
  @inlinable
  package borrowing func takeHandedOver(within budget: inout HandOverBudget, _ deliver: (Signal) -> Void) -> Bool {
    let count = depth
    guard count > 0 else { return false }
    let isRelieved = withQueue { queue in
      // After the count, as in `takeHandedOver`. Who takes over reads a count that holds all that this thread has taken.
      let end = queue.end
      while queue.position < end {
        if budget.isUsedUp(), passOn() { return true }
        deliver(take(queue))
      }
      return false
    }
    if !isRelieved { _ = word.add(-count) }
    return isRelieved
  }

  /// Takes over from a thread that has delivered for others for long, if it is looking for one: for a sender that has just
  /// handed a signal over. It waits for the end of one signal's delivery, and for a millisecond at most.
  ///
  /// - Returns: `true` if the caller holds the gate now, and is to deliver what is in the queue.
  @inlinable
  package borrowing func relieve() -> Bool { word.relaxedLoad() & GateMark.relief != 0 && takeOver() }

  @usableFromInline @inline(never)
  borrowing func takeOver() -> Bool {
    let me = currentThreadIdentity()
    guard holder.relaxedLoad() != me, busy.relaxedLoad() != me else { return false }
    // It has waited for ever, so that it is given the gate.
    return sleep(me, since: 0)
  }

  /// Gives the gate, and what is in the queue, to the first of the line, or asks for somebody to join it.
  ///
  /// - Returns: Whether another thread holds the gate now.
  @usableFromInline @inline(never)
  borrowing func passOn() -> Bool {
    let current = word.relaxedLoad()
    guard current & GateMark.sleeping != 0 else {
      if current & GateMark.relief == 0 {
        _ = word.compareExchange(expected: current, desired: current | GateMark.relief)
      }
      return false
    }
    var next: Sleeper?
    withLine { line in
      line.sleepers.withLock { sleepers in
        guard let first = sleepers.first else { return }
        let desired = (sleepers.count > 1 ? current : current & ~GateMark.sleeping) & ~GateMark.relief
        guard word.compareExchange(expected: current, desired: desired).exchanged else { return }
        // An owner that has become an ordinary holder names itself in `busy`.
        if busy.relaxedLoad() != 0 { busy.publish(0) }
        holder.relaxedStore(first.thread)
        first.grant = .handed
        next = sleepers.removeFirst()
      }
    }
    next?.wake()
    return next != nil
  }
}
