// The life of a subscriber's upstream subscription, and who may touch the field that holds it.

import WeirQueues

/// Arbitrates between the publisher that hands over a subscription, threads that use it, and threads that end it.
///
/// The subscription is a plain field of the owner. The word's low bits are the state, the rest counts the threads that
/// use the field; the last of them after the end empties the field, which happens once. Every change is a
/// read-modify-write that releases and acquires, so the field's writer happens before its users, and they before the
/// one that empties it. All is lock-free.
@usableFromInline
package struct SubscriptionState: ~Copyable {
  @usableFromInline static var awaiting: Int { 0 }
  @usableFromInline static var activating: Int { 1 }
  @usableFromInline static var active: Int { 2 }
  @usableFromInline static var over: Int { 3 }
  @usableFromInline static var mask: Int { 3 }
  @usableFromInline static var user: Int { 4 }

  @usableFromInline let word = AtomicWord(0)

  @inlinable
  package init() {}

  /// Claims the field for writing.
  ///
  /// - Returns: `false` if there has been a subscription, or the life is over: the new one is to be cancelled.
  @inlinable
  package func beginActivation() -> Bool {
    word.compareExchange(expected: Self.awaiting, desired: Self.activating).exchanged
  }

  /// Shares the field that was written since `beginActivation`.
  ///
  /// - Returns: `false` if the life ended meanwhile: the field is still the caller's, to be emptied and cancelled.
  @inlinable
  package func endActivation() -> Bool {
    word.compareExchange(expected: Self.activating, desired: Self.active).exchanged
  }

  /// Claims the field for reading, while the subscription is active.
  ///
  /// - Returns: Whether the caller may use the field; it then calls `endUse()`.
  @inlinable
  package func beginUse() -> Bool {
    var current = word.relaxedLoad()
    while current & Self.mask == Self.active {
      let (exchanged, original) = word.compareExchange(expected: current, desired: current + Self.user)
      if exchanged { return true }
      current = original
    }
    return false
  }

  /// Gives the field back.
  ///
  /// - Returns: Whether the caller is the last user after the end, and is to empty the field.
  @inlinable
  package func endUse() -> Bool { word.add(-Self.user) == Self.over + Self.user }

  /// Gives the field back after the caller itself has ended the life, mostly as the only user.
  ///
  /// The last user needs no exchange, as nothing changes the word any more; it acquires what the others released.
  ///
  /// - Returns: As `endUse()`.
  @inlinable
  package func endLastUse() -> Bool { word.acquireLoad() == Self.over + Self.user || endUse() }

  /// Ends the life, whether there is a subscription yet or not.
  ///
  /// - Returns: What the life was before. After `.active` the caller may use the field, and calls `endUse()`.
  @inlinable
  package func end() -> Phase { end(from: Self.awaiting) }

  /// Ends the life if there is a subscription.
  ///
  /// - Returns: As `end()`.
  @inlinable
  package func cancel() -> Phase { end(from: Self.activating) }

  @inlinable
  func end(from first: Int) -> Phase {
    var current = word.relaxedLoad()
    while true {
      let phase = current & Self.mask
      guard phase >= first, phase != Self.over else { return phase == Self.over ? .over : .awaiting }
      let ended = (current | Self.over) + (phase == Self.active ? Self.user : 0)
      let (exchanged, original) = word.compareExchange(expected: current, desired: ended)
      if exchanged { return phase == Self.active ? .active : phase == Self.activating ? .activating : .awaiting }
      current = original
    }
  }

  /// Where in its life a subscription is.
  @frozen
  @usableFromInline
  package enum Phase {
    /// Not handed over yet.
    case awaiting
    /// Just being handed over: whoever does that learns of the end from `endActivation()`.
    case activating
    /// Handed over and in use.
    case active
    /// Ended.
    case over
  }

  /// Whether there is a subscription, at some time before now.
  @inlinable @inline(__always)
  package var isActive: Bool { word.relaxedLoad() & Self.mask == Self.active }

  /// Whether there has been a subscription, or an end, at some time before now.
  @inlinable
  package var hasBegun: Bool { word.relaxedLoad() & Self.mask != Self.awaiting }

  /// Whether the life is over, at some time before now.
  @inlinable @inline(__always)
  package var isOver: Bool { word.relaxedLoad() & Self.mask == Self.over }
}
