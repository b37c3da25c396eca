// The one serialisation point: a lock that is never waited for. Whoever finds it taken leaves its signal and goes.
//
// The hand-over is the queue-drain of RxJava and Reactor (David Karnok's `wip` counter): one word counts what is to be done,
// and whoever moves it away from 0 does it all. The owned state is a biased lock with an asymmetric fence (Dice, Huang,
// Yang, "Asymmetric Dekker Synchronization", 2001; Russell and Detlefs, "Eliminating Synchronization-Related Atomic
// Operations with Biased Locking and Bulk Rebiasing", 2006), revoked once and for good.

import WeirQueues

/// Serialises signals from any number of threads without a lock over user code.
///
/// **Shared.** `word` is 0 while the gate is free; otherwise one unit for the holder and one for each signal left behind.
/// All its changes are read-modify-writes that release and acquire, so each holder sees what the former one did.
///
/// - A free gate is entered by one compare-exchange and left by one. Leaving fails exactly if a signal was left behind
///   since, so none is stranded: there is no moment between "looked at the queue" and "unlocked".
/// - A sender whose earlier signal still waits can't overtake it, as the gate is not free before.
/// - `holder` is compared only with the reader's own identity. A thread reads its own identity there if and only if it holds
///   the gate, for it writes it after entering and erases it before leaving, and sees its own writes in order.
/// - A signal is in the queue before it is counted. The holder reads the count, then takes all that has a place in the queue
///   by then, and only then subtracts the count. So no counted signal is left in a free gate, where its sender's next one
///   would overtake it. (As many signals as were counted would not do: one not counted yet may stand before the counted.)
///   A sender that comes to count a signal already delivered causes one round that finds nothing.
///
/// **Owned.** Most gates are used by one thread only. The thread that has entered often enough becomes the `owner`: it
/// enters and leaves with plain loads and stores, `word` stays 0, and `busy` says whether it is inside. The first other
/// thread to take `word` ends that for good:
///
/// - Owner: write `busy`, read `owner`. Revoker: write `owner`, heavy barrier, read `busy`. The heavy barrier makes the
///   owner's thread pass a full barrier, so at least one of the two sees the other's write.
/// - `owner` goes from the identity to `revoking`, and from there by one compare-exchange to the verdict, whoever comes
///   first: `kept` if the owner is inside, which then has the revoker's unit on `word` and leaves like any holder, or
///   `left` if it is not, and the revoker has the gate.
/// - `owner` is written only by whoever has its unit on `word`, up to the verdict. What it did inside, the owner releases
///   with `busy` or with the verdict; the revoker acquires both.
/// - There is no owned state where the system has no heavy barrier.
@frozen
@usableFromInline
package struct Gate<Signal>: ~Copyable {
  @usableFromInline let word = AtomicWord(0)
  @usableFromInline let holder = AtomicWord(0)
  @usableFromInline let owner = AtomicWord(GateOwner.none)
  @usableFromInline let busy = AtomicWord(0)
  /// The address of the retained queue of signals left behind; 0 until the first.
  @usableFromInline let queue = AtomicWord(0)

  /// How a thread finds the gate.
  @frozen
  @usableFromInline
  package enum Entry {
    /// It was free: the caller holds it now and must `leave()`.
    case entered
    /// The caller's own delivery is under way further up the stack.
    case nested
    /// Another thread holds it: hand the signal over.
    case taken
  }

  @inlinable
  package init() {}

  deinit {
    // SAFETY: nobody else is left; the reference is the one of `makeQueue`.
    guard let address = unsafe UnsafeRawPointer(bitPattern: queue.acquireLoad()) else { return }
    unsafe Unmanaged<MPSCQueue<Signal>>.fromOpaque(address).release()
  }

  /// Enters if the caller owns the gate and is not inside: the short way, without a read-modify-write.
  @inlinable @inline(__always)
  package borrowing func enterOwned() -> Bool { enterOwned { me in enterRevoked(me) } }

  /// Enters by the short way.
  ///
  /// - Parameter enterRevoked: Calls the gate's `enterRevoked`. If that call is outlined together with the way to the gate, no
  ///   register has to be saved for the gate's address.
  @inlinable @inline(__always)
  borrowing func enterOwned(_ enterRevoked: (_ me: Int) -> Bool) -> Bool {
    let me = currentThreadIdentity()
    guard owner.relaxedLoad() == me, busy.relaxedLoad() == 0 else { return false }
    busy.relaxedStore(me)
    compilerBarrier()
    return owner.relaxedLoad() == me || enterRevoked(me)
  }

  /// Enters if the gate is free.
  @inlinable @inline(__always)
  package borrowing func tryEnter() -> Entry { enterOwned() ? .entered : tryEnterShared() }

  @inlinable @inline(__always)
  borrowing func tryEnterShared() -> Entry {
    let me = currentThreadIdentity()
    if busy.relaxedLoad() == me { return .nested }
    // Looked at first, since a compare-exchange takes the line from the holder even if it fails.
    if word.relaxedLoad() == 0, word.compareExchange(expected: 0, desired: 1).exchanged { return enterTaken(me) }
    return holder.relaxedLoad() == me ? .nested : .taken
  }

  /// Enters if the gate is free, after a short wait if another thread holds it.
  @inlinable @inline(__always)
  package borrowing func enter() -> Entry { enterOwned() ? .entered : enterShared() }

  /// Enters like `enter`, once `enterOwned` has not.
  @inlinable @inline(__always)
  package borrowing func enterShared() -> Entry {
    let entry = tryEnterShared()
    return entry == .taken ? enterContended(currentThreadIdentity()) : entry
  }

  /// Spins for about half a microsecond, as most deliveries are shorter; gives up at once if signals are waiting already.
  @inlinable
  package borrowing func enterContended(_ me: Int) -> Entry {
    var backoff = Backoff()
    while backoff.spin() {
      let current = word.relaxedLoad()
      if current == 0, word.compareExchange(expected: 0, desired: 1).exchanged { return enterTaken(me) }
      if current > 1 { break }
    }
    return .taken
  }

  /// Enters as soon as the gate is free, whether or not signals are waiting; gives up once sleeping is better.
  @inlinable
  package borrowing func enterPatiently() -> Entry {
    var backoff = Backoff()
    repeat {
      if word.relaxedLoad() == 0, word.compareExchange(expected: 0, desired: 1).exchanged {
        return enterTaken(currentThreadIdentity())
      }
    } while backoff.snooze()
    return .taken
  }

  /// Goes on with the caller's unit on `word`.
  @inlinable @inline(__always)
  borrowing func enterTaken(_ me: Int) -> Entry {
    guard GateOwner.isOver(owner.relaxedLoad()) else { return claim(me) ? .entered : .taken }
    holder.relaxedStore(me)
    return .entered
  }

  /// Leaves, unless signals have been handed over.
  ///
  /// - Returns: `false` if there are signals: the caller still holds the gate, and is to deliver what `takeHandedOver`
  ///   returns before it tries again.
  @inlinable @inline(__always)
  package borrowing func leave() -> Bool {
    busy.relaxedLoad() == currentThreadIdentity() ? leaveOwned() : leaveShared()
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

  @inlinable
  borrowing func leaveShared() -> Bool {
    let me = holder.relaxedLoad()
    holder.relaxedStore(0)
    return leaveWord(me)
  }

  @inlinable @inline(__always)
  borrowing func leaveWord(_ me: Int) -> Bool {
    if word.compareExchange(expected: 1, desired: 0).exchanged { return true }
    holder.relaxedStore(me)
    return false
  }

  /// Leaves a signal for the holder.
  ///
  /// - Returns: `true` if the gate had become free: the caller holds it now, and is to deliver what `takeHandedOver`
  ///   returns, its own signal among it unless a former holder has delivered that.
  @inlinable
  package borrowing func handOver(_ signal: Signal) -> Bool {
    withQueue { _ = $0.enqueue(signal) }
    guard word.add(1) == 0 else { return false }
    // One unit is the signal's; this one is the holder's.
    _ = word.add(1)
    return enterTaken(currentThreadIdentity()) == .entered
  }

  /// Takes the signals left behind by now and passes them to `deliver`, oldest first. Only the holder may call this.
  @inlinable
  package borrowing func takeHandedOver(_ deliver: (Signal) -> Void) {
    let count = word.acquireLoad() - 1
    guard count > 0 else { return }
    withQueue { queue in
      // After the count: the places of the counted signals are before this one.
      let end = queue.end
      while queue.position < end { deliver(take(queue)) }
    }
    _ = word.add(-count)
  }

  /// Takes a signal that has its place in the queue. Its sender may be between taking that place and filling it.
  @inlinable
  borrowing func take(_ queue: MPSCQueue<Signal>) -> Signal {
    var backoff = Backoff()
    while true {
      if let signal = queue.dequeue() { return signal }
      _ = backoff.snooze()
    }
  }

  /// How many signals wait for the holder, at some time before now.
  @inlinable
  package var depth: Int { max(word.relaxedLoad() - 1, 0) }

  /// Whether signals wait for the holder, at some time before now.
  @inlinable
  package var hasHandedOver: Bool { word.relaxedLoad() > 1 }

  @inlinable @inline(__always)
  borrowing func withQueue<Result>(_ body: (MPSCQueue<Signal>) -> Result) -> Result {
    let known = queue.acquireLoad()
    // SAFETY: the address is that of a retained queue, which lives as long as the gate.
    let address = unsafe UnsafeRawPointer(bitPattern: known == 0 ? makeQueue() : known).unsafelyUnwrapped
    return unsafe Unmanaged<MPSCQueue<Signal>>.fromOpaque(address)._withUnsafeGuaranteedRef(body)
  }

  /// Makes the queue, unless another thread is quicker.
  @inlinable @inline(never)
  borrowing func makeQueue() -> Int {
    let made = unsafe Unmanaged.passRetained(MPSCQueue<Signal>())
    let address = unsafe Int(bitPattern: made.toOpaque())
    let (exchanged, original) = queue.compareExchange(expected: 0, desired: address)
    if exchanged { return address }
    // SAFETY: nobody has seen this one.
    unsafe made.release()
    return original
  }
}

// The owned state: beginning, revocation, and what the owner does about it.
extension Gate {
  /// With the caller's unit on `word`: becomes the owner, counts towards it, or ends another thread's ownership.
  ///
  /// - Returns: Whether the caller holds the gate. Otherwise the owner, which is inside, has the caller's unit.
  @inlinable @inline(never)
  borrowing func claim(_ me: Int) -> Bool {
    let current = owner.relaxedLoad()
    guard GateOwner.isCount(current) else { return revoke(current, me) }
    holder.relaxedStore(me)
    if current < GateOwner.threshold {
      owner.relaxedStore(current + GateOwner.step)
    } else if heavyBarrier() {
      busy.relaxedStore(me)
      owner.relaxedStore(me)
      // Publishes both, and gives the unit back; from here on others may revoke.
      if word.compareExchange(expected: 1, desired: 0).exchanged {
        holder.relaxedStore(0)
      } else {
        owner.relaxedStore(GateOwner.left)
        busy.relaxedStore(0)
      }
    } else {
      owner.relaxedStore(GateOwner.left)
    }
    return true
  }

  @inlinable
  borrowing func revoke(_ former: Int, _ me: Int) -> Bool {
    // Arrives before the barrier returns.
    owner.relaxedStore(GateOwner.revoking)
    guard heavyBarrier() else { preconditionFailure("membarrier was available before and is not any more") }
    let verdict = busy.acquireLoad() == former ? GateOwner.kept : GateOwner.left
    let (exchanged, original) = owner.compareExchange(expected: GateOwner.revoking, desired: verdict)
    guard (exchanged ? verdict : original) == GateOwner.left else { return false }
    holder.relaxedStore(me)
    return true
  }

  /// The owner has written `busy` and then found its ownership gone.
  ///
  /// - Returns: Whether it is inside nevertheless, with the revoker's unit on `word`.
  @inlinable @inline(never)
  borrowing func enterRevoked(_ me: Int) -> Bool {
    let (exchanged, original) = owner.compareExchange(expected: GateOwner.revoking, desired: GateOwner.kept)
    let isInside = exchanged || original == GateOwner.kept
    if isInside { holder.relaxedStore(me) }
    busy.publish(0)
    return isInside
  }

  /// The owner has erased `busy` and then found its ownership gone.
  @inlinable @inline(never)
  borrowing func leaveRevoked(_ me: Int) -> Bool {
    let (exchanged, original) = owner.compareExchange(expected: GateOwner.revoking, desired: GateOwner.left)
    if exchanged || original == GateOwner.left { return true }
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

  /// The count from which on the next thread to enter becomes the owner. A heavy barrier, which may be needed to end this,
  /// costs as much as some hundred entries.
  #if WEIR_EXPLORER
    @usableFromInline static var threshold: Int { none + step }
  #else
    @usableFromInline static var threshold: Int { none + step * 64 }
  #endif

  @inlinable @inline(__always)
  static func isOver(_ owner: Int) -> Bool { owner & (left | kept) != 0 }

  @inlinable @inline(__always)
  static func isCount(_ owner: Int) -> Bool { owner & 1 != 0 }
}
