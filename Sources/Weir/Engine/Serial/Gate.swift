// The one serialisation point: one thread at a time, the others wait, or leave their signal and go.
//
// The hand-over is the queue-drain of RxJava and Reactor (David Karnok's `wip` counter): one word counts what is to be
// done, and whoever moves it away from 0 does it all. The owned state is a biased lock with an asymmetric fence (Dice,
// Huang, Yang, "Asymmetric Dekker Synchronization", 2001; Russell and Detlefs, "Eliminating Synchronization-Related
// Atomic Operations with Biased Locking and Bulk Rebiasing", 2006), revoked once and for good: see GateOwnership.swift.
// Waiting is that of WebKit's `WTF::Lock` and parking_lot: see GateWaiting.swift.

import WeirQueues

/// Serialises signals from any number of threads.
///
/// The low half of `word` is 0 while the gate is free; otherwise one unit for the holder and one for each signal left
/// behind. The high half says what the holder has to look at before it leaves (`GateMark`). All changes are
/// read-modify-writes that release and acquire, so each holder sees what the former one did.
///
/// - A free gate is entered by one compare-exchange and left by one. Leaving fails exactly if there is something to
///   look at, so no signal is stranded and no sleeper forgotten: there is no moment between the look and the unlocking.
/// - A sender whose earlier signal still waits can't overtake it, as the gate is not free before.
/// - `holder` is compared only with the reader's own identity. A thread reads its own identity there if and only if it
///   holds the gate, for it writes it after entering and erases it before leaving, and sees its own writes in order.
/// - A signal is in the queue before it is counted. The holder reads the count, then takes all that has a place in the
///   queue by then, and only then subtracts the count. So no counted signal is left in a free gate, where its sender's
///   next one would overtake it. (As many signals as were counted would not do: one not counted yet may stand before
///   the counted.) A sender that comes to count a signal already delivered causes one round that finds nothing.
/// - To try to enter, and to leave a signal, is lock-free, but for the end of a segment of the queue. To wait is
///   blocking, and so are, for a moment, taking a signal that is just being put into the queue, and leaving while a
///   thread looks (`whileHeld`) or joins the line.
@frozen
@usableFromInline
package struct Gate<Signal>: ~Copyable {
  @usableFromInline let word = AtomicWord(0)
  @usableFromInline let holder = AtomicWord(0)
  @usableFromInline let owner = AtomicWord(GateOwner.none)
  @usableFromInline let busy = AtomicWord(0)
  /// The address of the retained queue of signals left behind; 0 until the first.
  @usableFromInline let queue = AtomicWord(0)
  /// The address of the retained line of threads that sleep; 0 until the first.
  @usableFromInline let line = AtomicWord(0)

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
    // SAFETY: nobody else is left; the references are those of `makeQueue` and `makeLine`.
    if let address = unsafe UnsafeRawPointer(bitPattern: queue.acquireLoad()) {
      unsafe Unmanaged<MPSCQueue<Signal>>.fromOpaque(address).release()
    }
    if let address = unsafe UnsafeRawPointer(bitPattern: line.acquireLoad()) {
      unsafe Unmanaged<WaitLine>.fromOpaque(address).release()
    }
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
    return tryEnterMarked(me)
  }

  /// Enters a gate that is free but for its marks, or that a thread owns that is not inside.
  @inlinable
  borrowing func tryEnterMarked(_ me: Int) -> Entry {
    let current = word.relaxedLoad()
    if current & GateMark.units == 0 {
      if word.compareExchange(expected: current, desired: current + 1).exchanged { return enterTaken(me) }
    } else if GateOwner.isOwned(owner.relaxedLoad()), revoke(me) {
      return .entered
    }
    return holder.relaxedLoad() == me ? .nested : .taken
  }

  /// Enters if the gate is free, after a short wait if another thread holds it: for those that never wait for a
  /// delivery.
  @inlinable @inline(__always)
  package borrowing func enter() -> Entry { enterOwned() ? .entered : enterShared() }

  /// Enters like `enter`, once `enterOwned` has not.
  @inlinable @inline(__always)
  package borrowing func enterShared() -> Entry {
    let entry = tryEnterShared()
    return entry == .taken ? enterContended() : entry
  }

  /// Spins for about half a microsecond, as most deliveries are shorter; gives up at once if signals are waiting
  /// already.
  @inlinable
  package borrowing func enterContended() -> Entry {
    let me = currentThreadIdentity()
    var backoff = Backoff()
    while backoff.spin() {
      let entry = tryEnterMarked(me)
      if entry != .taken { return entry }
      if hasHandedOver { break }
    }
    return .taken
  }

  /// Goes on with the caller's unit on `word`.
  @inlinable @inline(__always)
  borrowing func enterTaken(_ me: Int) -> Entry {
    holder.relaxedStore(me)
    if !GateOwner.isOver(owner.relaxedLoad()) { claim(me) }
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

  @inlinable
  borrowing func leaveShared() -> Bool {
    let me = holder.relaxedLoad()
    holder.relaxedStore(0)
    return leaveWord(me)
  }

  @inlinable @inline(__always)
  borrowing func leaveWord(_ me: Int) -> Bool {
    word.compareExchange(expected: 1, desired: 0).exchanged || leaveMarked(me)
  }

  /// Leaves a signal for the holder.
  ///
  /// - Returns: `true` if the gate had become free: the caller holds it now, and is to deliver what `takeHandedOver`
  ///   returns, its own signal among it unless a former holder has delivered that.
  @inlinable
  package borrowing func handOver(_ signal: Signal) -> Bool {
    enqueue(signal)
    return noteQueued()
  }

  /// Counts a signal that was put into the queue.
  ///
  /// - Returns: As for `handOver`.
  @inlinable
  package borrowing func noteQueued() -> Bool {
    let me = currentThreadIdentity()
    if word.add(1) & GateMark.units == 0 {
      // One unit is the signal's; this one is the holder's.
      _ = word.add(1)
      holder.relaxedStore(me)
      return true
    }
    // Behind the addition, which has acquired the owner if that came first: one leaves without a look at the word.
    // (add in `claim`)
    return GateOwner.isOwned(owner.relaxedLoad()) && revoke(me)
  }

  /// Takes the signals left behind by now and passes them to `deliver`, oldest first. Only the holder may call this.
  @inlinable
  package borrowing func takeHandedOver(_ deliver: (Signal) -> Void) {
    let count = depth
    guard count > 0 else { return }
    takeQueued(deliver)
    _ = word.add(-count)
  }

  /// Takes the signals left behind by now, within a delivery: they come before what this thread sends now. Only the
  /// holder may call this; they stay counted, so that it looks again before it leaves.
  @inlinable
  package borrowing func takeQueued(_ deliver: (Signal) -> Void) {
    withQueue { queue in
      // After the count: the places of the counted signals are before this one.
      let end = queue.end
      while queue.position < end { deliver(take(queue)) }
    }
  }

  /// Puts a signal behind those in the queue. It is not counted: the holder, if that is the caller, says `takeQueued`
  /// at once, as a `takeHandedOver` further up its stack leaves it behind; somebody else says `noteQueued` once it has
  /// to be taken. Until then, whoever enters the gate and does not look at `hasQueued` overtakes it.
  @inlinable
  package borrowing func enqueue(_ signal: Signal) { withQueue { _ = $0.enqueue(signal) } }

  /// Takes a signal that has its place in the queue. Its sender may be between taking that place and filling it.
  @inlinable
  borrowing func take(_ queue: MPSCQueue<Signal>) -> Signal {
    var backoff = Backoff()
    while true {
      if let signal = queue.dequeue() { return signal }
      if !backoff.snooze() { nap() }
    }
  }

  /// How many signals wait for the holder, at some time before now.
  @inlinable
  package var depth: Int { max(word.acquireLoad() & GateMark.units - 1, 0) }

  /// Whether signals wait for the holder, at some time before now.
  @inlinable
  package var hasHandedOver: Bool { word.relaxedLoad() & GateMark.units > 1 }

  /// Whether there are signals in the queue that nobody has taken. Only the holder may ask.
  @inlinable @inline(__always)
  package var hasQueued: Bool { queue.relaxedLoad() != 0 && withQueue { $0.position < $0.end } }

  /// Whether other threads want something of the holder: to be let in, or that it takes a signal. A long delivery of
  /// many values may leave and enter again then.
  @inlinable @inline(__always)
  package var isWanted: Bool { word.relaxedLoad() != 1 }

  @inlinable @inline(__always)
  borrowing func withQueue<Result>(_ body: (MPSCQueue<Signal>) -> Result) -> Result {
    let known = queue.acquireLoad()
    // SAFETY: the address is that of a retained queue, which lives as long as the gate.
    let address = unsafe UnsafeRawPointer(bitPattern: known == 0 ? makeQueue() : known).unsafelyUnwrapped
    return unsafe Unmanaged<MPSCQueue<Signal>>.fromOpaque(address)._withUnsafeGuaranteedRef(body)
  }

  /// Makes the queue, unless another thread is quicker.
  @inlinable @inline(never)
  borrowing func makeQueue() -> Int { install(MPSCQueue<Signal>(), in: queue) }

  /// Keeps an object for the gate's life, unless another thread was quicker.
  ///
  /// - Returns: The address of the one that is kept.
  @inlinable
  borrowing func install<Kept: AnyObject>(_ object: Kept, in place: borrowing AtomicWord) -> Int {
    let made = unsafe Unmanaged.passRetained(object)
    let address = unsafe Int(bitPattern: made.toOpaque())
    let (exchanged, original) = place.compareExchange(expected: 0, desired: address)
    if exchanged { return address }
    // SAFETY: nobody has seen this one.
    unsafe made.release()
    return original
  }
}

/// What a gate's `word` says beside the number of units.
@usableFromInline
enum GateMark {
  /// One for the holder and one for each signal.
  @usableFromInline static var units: Int { 0xFFFF_FFFF }
  /// Threads may sleep in the line.
  @usableFromInline static var sleeping: Int { 1 << 32 }
  /// One that was woken has not looked at the gate yet: no other needs to be woken.
  @usableFromInline static var woken: Int { 1 << 33 }
  /// The holder has delivered for others for long: whoever hands a signal over may take over.
  @usableFromInline static var relief: Int { 1 << 34 }
  /// Counts threads that look at whom the holder is calling: it does not leave before they are through.
  @usableFromInline static var looker: Int { 1 << 40 }
}
