// A gate that one thread alone uses belongs to it: the thread enters and leaves with plain loads and stores.

import WeirQueues

/// Most gates are used by one thread only. The thread that has entered often enough becomes the `owner`. While it is
/// that, `word` holds its unit, also while it is outside, so that every other thread finds the gate taken and looks at
/// `owner`; `busy` says whether the owner is inside. The first other thread that wants something ends this for good:
///
/// - Owner: write `busy`, read `owner`. Revoker: write `owner`, heavy barrier, read `busy`. The heavy barrier makes the
///   owner's thread pass a full barrier, so at least one of the two sees the other's write.
/// - `owner` goes from the identity to `revoking`, and from there by one compare-exchange to the verdict, whoever comes
///   first: `kept` if the owner is inside, which then leaves like any holder; `left` if it is not, and then whoever has
///   said so has the owner's unit, and with it the gate. An owner that gives the gate away, without leaving it, says
///   `kept` before that.
/// - Whoever finds `revoking` does the same as who wrote it: it passes a heavy barrier, looks, and tries to decide. So
///   nobody depends on a thread that has begun and does not run. Nobody enters, hands over or waits before there is a
///   verdict; an owner that enters after that sees it. So the owner overtakes nobody who has come and gone.
/// - `busy` is written by the owner only. What it did inside, the owner releases with `busy` or with the verdict; who
///   decides acquires both.
/// - A new thread may get the identity of an owner that has ended. It is the owner then: nobody is inside, and with
///   `busy` it acquires what the one before did.
/// - There is no owned state where the system has no heavy barrier.
extension Gate {
  /// Enters if the caller owns the gate and is not inside: the short way, without a read-modify-write.
  @inlinable @inline(__always)
  package borrowing func enterOwned() -> Bool { enterOwned { me in enterRevoked(me) } }

  /// Enters by the short way.
  ///
  /// - Parameter enterRevoked: Calls the gate's `enterRevoked`. If that call is outlined together with the way to the
  ///   gate, no register has to be saved for the gate's address.
  @inlinable @inline(__always)
  borrowing func enterOwned(_ enterRevoked: (_ me: Int) -> Bool) -> Bool {
    let me = currentThreadIdentity()
    guard owner.relaxedLoad() == me else { return false }
    // Acquires what an owner did that has ended and whose identity this thread has got (publish in `leaveOwned`).
    guard busy.acquireLoad() == 0 else { return false }
    busy.relaxedStore(me)
    compilerBarrier()
    return owner.relaxedLoad() == me || enterRevoked(me)
  }

  /// Leaves after `enterOwned`.
  @inlinable @inline(__always)
  package borrowing func leaveOwned() -> Bool { leaveOwned { me in leaveRevoked(me) } }

  /// Leaves after `enterOwned`.
  ///
  /// - Parameter leaveRevoked: Calls the gate's `leaveRevoked`, as in `enterOwned`.
  @inlinable @inline(__always)
  borrowing func leaveOwned(_ leaveRevoked: (_ me: Int) -> Bool) -> Bool {
    busy.publish(0)
    compilerBarrier()
    let me = currentThreadIdentity()
    return owner.relaxedLoad() == me || leaveRevoked(me)
  }

  /// With the caller's unit on `word`: counts towards ownership, or becomes the owner, inside.
  @inlinable @inline(never)
  borrowing func claim(_ me: Int) {
    let current = owner.relaxedLoad()
    if current < GateOwner.threshold { return owner.relaxedStore(current + GateOwner.step) }
    guard quickHeavyBarrier() else { return owner.relaxedStore(GateOwner.left) }
    holder.relaxedStore(0)
    busy.relaxedStore(me)
    _ = owner.exchange(me)
    // Who counts a signal after this addition of nothing sees the owner. Who has done so before may not have: the
    // owner, which leaves without a look at the word, stays none, and delivers that signal before anybody else gets in.
    // (add in `noteQueued`)
    guard word.add(0) != 1 else { return }
    if !owner.compareExchange(expected: me, desired: GateOwner.kept).exchanged {
      // Who is revoking finds the owner inside, if it is quicker.
      _ = owner.compareExchange(expected: GateOwner.revoking, desired: GateOwner.kept)
    }
  }

  /// Ends an ownership, together with whoever else is about to.
  ///
  /// - Returns: `true` if the owner was outside and it was this call that found so: the caller holds the gate now.
  @inlinable @inline(never)
  borrowing func revoke(_ me: Int) -> Bool {
    let current = owner.acquireLoad()
    guard GateOwner.isOwned(current) else { return false }
    if current != GateOwner.revoking {
      _ = owner.compareExchange(expected: current, desired: GateOwner.revoking)
    }
    guard heavyBarrier() else {
      preconditionFailure(
        "the system forbids membarrier, which it did not before; set WEIR_OWNED_GATES=0 where that is to be expected")
    }
    let verdict = busy.acquireLoad() != 0 ? GateOwner.kept : GateOwner.left
    let isMine = owner.compareExchange(expected: GateOwner.revoking, desired: verdict).exchanged
    guard isMine, verdict == GateOwner.left else { return false }
    holder.relaxedStore(me)
    return true
  }

  /// The owner has written `busy` and then found its ownership gone.
  ///
  /// - Returns: Whether it is inside nevertheless.
  @inlinable @inline(never)
  borrowing func enterRevoked(_ me: Int) -> Bool {
    let (exchanged, original) = owner.compareExchange(expected: GateOwner.revoking, desired: GateOwner.kept)
    let isInside = exchanged || original == GateOwner.kept
    if isInside { holder.relaxedStore(me) }
    // The verdict is out: nobody goes by this any more.
    busy.relaxedStore(0)
    return isInside
  }

  /// The owner has erased `busy` and then found its ownership gone.
  @inlinable @inline(never)
  borrowing func leaveRevoked(_ me: Int) -> Bool {
    let (exchanged, original) = owner.compareExchange(expected: GateOwner.revoking, desired: GateOwner.left)
    // Somebody else has found that this thread was outside, and has the unit.
    if !exchanged, original == GateOwner.left { return true }
    holder.relaxedStore(0)
    return leaveWord(me)
  }
}

/// What a gate's `owner` word means, beside the identity of a thread, whose low four bits are clear.
@usableFromInline
enum GateOwner {
  /// Nobody yet: odd, and counting entries above the low four bits.
  @usableFromInline static var none: Int { 1 }
  @usableFromInline static var step: Int { 16 }
  /// Being revoked: the verdict is out.
  @usableFromInline static var revoking: Int { 2 }
  /// Over: the owner was not inside.
  @usableFromInline static var left: Int { 4 }
  /// Over: the owner was inside.
  @usableFromInline static var kept: Int { 8 }

  /// The count from which on the next thread to enter becomes the owner. A heavy barrier, which may be needed to end
  /// this, costs as much as some hundred entries.
  #if WEIR_EXPLORER
    @usableFromInline static var threshold: Int { none + step }
  #else
    @usableFromInline static var threshold: Int { none + step * 64 }
  #endif

  /// Whether a verdict has ended an ownership, or there will never be one.
  @inlinable @inline(__always)
  static func isOver(_ owner: Int) -> Bool { owner & (left | kept) != 0 }

  /// Whether a thread owns the gate, or did until a moment ago and there is no verdict yet.
  @inlinable @inline(__always)
  static func isOwned(_ owner: Int) -> Bool { owner & (left | kept | none) == 0 }
}
