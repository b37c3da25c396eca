// How the role of the thread that delivers for others passes on, where senders hand their signals over.

import WeirQueues

/// What one thread delivers of what others have handed over before it looks for another one that takes over.
@frozen
@usableFromInline
package struct HandOverBudget {
  /// Signals.
  #if WEIR_EXPLORER
    @usableFromInline static var signals: Int { 1 }
  #else
    @usableFromInline static var signals: Int { 1024 }
  #endif
  /// Nanoseconds.
  @usableFromInline static var time: Int { 1_000_000 }

  /// What is left of a budget.
  @frozen
  @usableFromInline
  enum State {
    case left
    /// Nothing: another sender is to take over, if one comes.
    case usedUp
    /// Nothing, for as long again: nobody has come.
    case exceeded
  }

  @usableFromInline var taken: Int
  @usableFromInline var since = 0
  @usableFromInline var elapsed = 0

  /// - Parameter taken: How many signals count as taken.
  @inlinable
  package init(taken: Int = 0) { self.taken = taken }

  /// That of a thread which nobody is to take over from.
  @inlinable
  static var unlimited: HandOverBudget {
    var budget = HandOverBudget(taken: .min)
    budget.since = .max
    return budget
  }

  /// Counts a signal that is about to be taken. The clock is read for each eighth.
  ///
  /// - Returns: What was left before.
  @inlinable
  mutating func take() -> State {
    if since == 0 { since = monotonicNanoseconds() }
    taken += 1
    if taken & 7 == 0 { elapsed = monotonicNanoseconds() - since }
    if taken > 2 * Self.signals || elapsed > 2 * Self.time && taken >= 16 { return .exceeded }
    return taken > Self.signals || elapsed > Self.time ? .usedUp : .left
  }
}

/// A thread whose budget is used up marks the gate. The next sender that hands a signal over sees the mark, joins the
/// line of sleepers and is given the gate with all that is in the queue, between two signals. If none comes, a thread
/// is started that holds the gate until there is nothing left: nobody's `send` is kept for what others have sent.
extension Gate {
  /// Takes signals like `takeHandedOver`, until another thread has taken over.
  ///
  /// - Parameters:
  ///   - budget: What this thread may still take.
  ///   - startHelper: Starts a thread that calls `adopt` and then delivers what is in the queue. It returns `false` if
  ///     there is no thread to be had.
  ///   - deliver: Takes a signal.
  /// - Returns: `true` if another thread holds the gate now.
  @inlinable
  package borrowing func takeHandedOver(
    within budget: inout HandOverBudget, orElse startHelper: () -> Bool, _ deliver: (Signal) -> Void
  ) -> Bool {
    let count = depth
    guard count > 0 else { return false }
    let isRelieved = withQueue { queue in
      // After the count, as in `takeHandedOver`. Who takes over reads a count that holds all that this thread has
      // taken.
      let end = queue.end
      while queue.position < end {
        switch budget.take() {
        case .left: break
        case .usedUp: if passOn() { return true }
        case .exceeded:
          if passOn() || giveAway(startHelper) { return true }
          budget = HandOverBudget()
        }
        deliver(take(queue))
      }
      return false
    }
    if !isRelieved { _ = word.add(-count) }
    return isRelieved
  }

  /// Takes over from a thread that has delivered for others for long, if it is looking for one: for a sender that has
  /// just handed a signal over. It waits for the end of one signal's delivery, and for a millisecond at most.
  ///
  /// - Returns: `true` if the caller holds the gate now, and is to deliver what is in the queue.
  @inlinable
  package borrowing func relieve() -> Bool { word.relaxedLoad() & GateMark.relief != 0 && takeOver() }

  @usableFromInline @inline(never)
  borrowing func takeOver() -> Bool {
    let me = currentThreadIdentity()
    guard holder.relaxedLoad() != me else { return false }
    guard busy.relaxedLoad() != me else { return false }
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
        name(first.thread)
        first.grant = .handed
        next = sleepers.removeFirst()
      }
    }
    next?.wake()
    return next != nil
  }

  /// Gives the gate to a thread that is yet to start.
  @usableFromInline @inline(never)
  borrowing func giveAway(_ startHelper: () -> Bool) -> Bool {
    // That thread needs nobody to take over from it.
    var current = word.relaxedLoad()
    while current & GateMark.relief != 0 {
      current = word.compareExchange(expected: current, desired: current & ~GateMark.relief).original
    }
    let me = currentThreadIdentity()
    name(0)
    if startHelper() { return true }
    holder.relaxedStore(me)
    return false
  }

  /// Names another thread as the holder. Only the holder may call this.
  borrowing func name(_ thread: Int) {
    // An owner that is inside names itself in `busy`. Whoever has counted a signal, and has yet to look there whether
    // the owner is inside, must not find it outside afterwards: so the verdict is out first. What another thread has in
    // `busy` is no holder's name: it is about to find out that it owns the gate no more.
    if busy.relaxedLoad() == currentThreadIdentity() {
      _ = owner.exchange(GateOwner.kept)
      busy.relaxedStore(0)
    }
    holder.relaxedStore(thread)
  }

  /// Makes the caller, which was started for that, the holder.
  @inlinable
  package borrowing func adopt() { holder.relaxedStore(currentThreadIdentity()) }
}
