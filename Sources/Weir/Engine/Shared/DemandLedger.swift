// Demand in one atomic word, with sentinels for "unlimited" and "cancelled" (Reactor's `Operators.addCapCancellable`).

import WeirQueues

/// What a subscriber has asked for and not yet received.
///
/// Any thread may add or cancel; whoever delivers takes. The word is 0 for no demand, a count, `unlimited`, `parked`
/// while the end of a stream waits for demand, or `cancelled`, which nothing leaves. Unlimited demand costs the
/// delivering side one plain load per value. No operation waits for another thread: they are lock-free, and `cancel` is
/// wait-free.
@frozen
@usableFromInline
package struct DemandLedger: ~Copyable {
  @usableFromInline let word = AtomicWord(0)

  @usableFromInline static var unlimited: Int { .max }
  @usableFromInline static var cancelled: Int { .min }
  @usableFromInline static var parked: Int { -1 }

  @inlinable
  package init() {}

  /// The word for a demand.
  @inlinable @inline(__always)
  static func units(_ demand: Subscribers.Demand) -> Int { demand.max ?? unlimited }

  /// Adds demand, saturating at unlimited.
  ///
  /// The exchange releases what the subscriber wrote before it asked; `take` acquires it. It is sequential for whoever
  /// then looks whether a value was missed for want of demand (`takeAfterMiss`).
  ///
  /// - Returns: The word as it was: 0 tells the caller that nobody was serving this demand.
  @inlinable @discardableResult
  package func add(_ demand: Subscribers.Demand) -> Int {
    let units = Self.units(demand)
    var current = word.relaxedLoad()
    while true {
      guard current >= 0, current != Self.unlimited else { return current }
      let (sum, overflow) = current.addingReportingOverflow(units)
      let (exchanged, original) = word.sequentialCompareExchange(
        expected: current, desired: overflow ? Self.unlimited : sum)
      if exchanged { return current }
      current = original
    }
  }

  /// Adds demand, and forgets it: for a caller that may come here again.
  ///
  /// - Returns: `false` after cancellation.
  @inlinable
  package func note(_ demand: inout Subscribers.Demand) -> Bool {
    defer { demand = .none }
    return demand == .none ? !isCancelled : add(demand) != Self.cancelled
  }

  /// Takes one unit.
  ///
  /// - Returns: Whether there was one; never after cancellation.
  @inlinable @inline(__always)
  package func take() -> Bool { takeOne(of: word.acquireLoad()) }

  /// Takes one unit, after having noted by a sequential exchange that a value is missed without one: who has asked and
  /// then read that note sequentially has seen it, or the unit is found here (compareExchange in `add`).
  ///
  /// - Returns: As `take`.
  @inlinable @inline(__always)
  package func takeAfterMiss() -> Bool { takeOne(of: word.sequentialLoad()) }

  /// Whether there is demand: for the same look as that of `takeAfterMiss`.
  @inlinable
  package var isSomeAfterMiss: Bool { word.sequentialLoad() > 0 }

  @inlinable @inline(__always)
  func takeOne(of current: Int) -> Bool { current == Self.unlimited || (current > 0 && takeCounted()) }

  @inlinable
  func takeCounted() -> Bool {
    var current = word.relaxedLoad()
    while current > 0, current != Self.unlimited {
      let (exchanged, original) = word.compareExchange(expected: current, desired: current - 1)
      if exchanged { return true }
      current = original
    }
    return current == Self.unlimited
  }

  /// Takes up to a number of units at once.
  ///
  /// - Parameter limit: How many at most; not negative.
  /// - Returns: How many were taken; 0 after cancellation.
  @inlinable
  package func take(upTo limit: Int) -> Int {
    var current = word.acquireLoad()
    while current > 0, current != Self.unlimited {
      let taken = min(current, limit)
      let (exchanged, original) = word.compareExchange(expected: current, desired: current - taken)
      if exchanged { return taken }
      current = original
    }
    return current == Self.unlimited ? limit : 0
  }

  /// Settles units that were delivered on credit, by a deliverer that looks at the word once per batch.
  ///
  /// - Parameter delivered: How many; not more than the word held.
  /// - Returns: The word afterwards: what is left to deliver, `unlimited`, or `cancelled`.
  @inlinable
  package func settle(_ delivered: Int) -> Int {
    var current = word.acquireLoad()
    while current >= 0, current != Self.unlimited {
      let (exchanged, original) = word.compareExchange(expected: current, desired: current - delivered)
      if exchanged { return current - delivered }
      current = original
    }
    return current
  }

  /// Leaves the end of a stream to the next request, unless there is demand already, which is then spent for good.
  ///
  /// The exchange releases what the next request needs; `unpark` acquires it.
  ///
  /// - Returns: The word as it was: 0 if the end is parked now, a count or `unlimited` if the caller is to deliver it,
  ///   `cancelled` if nobody is.
  @inlinable
  package func park() -> Int {
    var current = word.relaxedLoad()
    while current >= 0 {
      let desired = current == 0 ? Self.parked : Self.cancelled
      let (exchanged, original) = word.compareExchange(expected: current, desired: desired)
      if exchanged { break }
      current = original
    }
    return current
  }

  /// Takes over a parked end.
  ///
  /// - Returns: Whether the caller is the one to deliver it.
  @inlinable
  package func unpark() -> Bool { word.compareExchange(expected: Self.parked, desired: Self.cancelled).exchanged }

  /// Cancels for good.
  ///
  /// - Returns: The word as it was: `cancelled` tells the caller that it is not the first.
  @inlinable
  package func cancel() -> Int { word.exchange(Self.cancelled) }

  /// Whether there is no limit, at some time before now. It acquires what the subscriber wrote before it asked.
  @inlinable @inline(__always)
  package var isUnlimited: Bool { word.acquireLoad() == Self.unlimited }

  /// Whether it was cancelled, at some time before now.
  @inlinable @inline(__always)
  package var isCancelled: Bool { word.relaxedLoad() == Self.cancelled }

  /// Whether a value would find no demand, as none is left or the stream was cancelled, at some time before now.
  @inlinable @inline(__always)
  package var hasNone: Bool { word.relaxedLoad() <= 0 }

  /// The demand as it stands, at some time before now.
  @inlinable
  package var demand: Subscribers.Demand {
    let current = word.relaxedLoad()
    return current == Self.unlimited ? .unlimited : .max(max(current, 0))
  }
}
