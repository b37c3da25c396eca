// The one serialisation point: a lock that is never waited for. Whoever finds it taken leaves its signal and goes.
//
// The hand-over list is a Treiber stack (R. K. Treiber, "Systems Programming: Coping with Parallelism", 1986) that shares
// its word with the lock; taking the whole of it and reversing it makes it a queue. Flat combining (Hendler, Incze, Shavit,
// Tzafrir, 2010) is the same idea: the holder does the others' work.

import WeirQueues

/// Serialises signals from any number of threads without a lock over user code.
///
/// `word` is 0 while free, 1 while held, and the address of the newest handed-over signal, plus 1, while held with signals
/// left behind. All its changes are read-modify-writes that release and acquire, so each holder sees what the former one
/// did, and a drain sees the signals that it takes.
///
/// - A free gate is entered by one compare-exchange and left by one. Leaving fails exactly if a signal was left behind
///   since, so none is stranded: there is no moment between "looked at the list" and "unlocked".
/// - A sender whose earlier signal is still in the list can't overtake it, as the gate is not free before the list is empty.
/// - `holder` is compared only with the reader's own identity. A thread reads its own identity there if and only if it holds
///   the gate, for it writes it after entering and erases it before leaving, and sees its own writes in order.
/// - A push that finds the address it expects may meet a recycled node; harmless, as a push only links to it, and nodes are
///   taken out all at once.
@frozen
@usableFromInline
package struct Gate<Signal>: ~Copyable {
  @usableFromInline let word = AtomicWord(0)
  @usableFromInline let holder = AtomicWord(0)

  @usableFromInline static var held: Int { 1 }

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

  /// Enters if the gate is free, after a short wait if another thread holds it.
  @inlinable @inline(__always)
  package borrowing func enter() -> Entry {
    let me = currentThreadIdentity()
    if word.compareExchange(expected: 0, desired: Self.held).exchanged {
      holder.relaxedStore(me)
      return .entered
    }
    return holder.relaxedLoad() == me ? .nested : enterContended(me)
  }

  /// Spins for about half a microsecond, as most deliveries are shorter; gives up at once if signals are waiting already.
  @inlinable
  package borrowing func enterContended(_ me: Int) -> Entry {
    var backoff = Backoff()
    while backoff.spin() {
      let current = word.relaxedLoad()
      if current == 0, word.compareExchange(expected: 0, desired: Self.held).exchanged {
        holder.relaxedStore(me)
        return .entered
      }
      if current != 0, current != Self.held { break }
    }
    return .taken
  }

  /// Leaves, unless signals have been handed over.
  ///
  /// - Returns: `false` if there are signals: the caller still holds the gate, and is to deliver what `takeHandedOver`
  ///   returns before it tries again.
  @inlinable @inline(__always)
  package borrowing func leave() -> Bool {
    let me = holder.relaxedLoad()
    holder.relaxedStore(0)
    if word.compareExchange(expected: Self.held, desired: 0).exchanged { return true }
    holder.relaxedStore(me)
    return false
  }

  /// Leaves a signal for the holder.
  ///
  /// - Returns: `true` if the gate had become free: the caller holds it now, and is to deliver what `takeHandedOver`
  ///   returns, its own signal among it.
  @inlinable
  package borrowing func handOver(_ signal: Signal) -> Bool {
    // SAFETY: the node is this thread's until the exchange publishes it, and the taking thread's from then on; it is freed
    // there, once, after the signal was moved out. Nodes are aligned to 16 at least, so bit 0 of their address is free.
    let node = UnsafeMutablePointer<HandedOver<Signal>>.allocate(capacity: 1)
    unsafe node.initialize(to: HandedOver(signal: signal))
    var current = word.relaxedLoad()
    while true {
      unsafe node.pointee.next = UnsafeMutablePointer(bitPattern: current & ~Self.held)
      let desired = Int(bitPattern: node) | Self.held
      let (exchanged, original) = word.compareExchange(expected: current, desired: desired)
      if exchanged { break }
      current = original
    }
    guard current == 0 else { return false }
    holder.relaxedStore(currentThreadIdentity())
    return true
  }

  /// Takes all signals left behind and passes them to `deliver`, oldest first. Only the holder may call this.
  @inlinable
  package borrowing func takeHandedOver(_ deliver: (Signal) -> Void) {
    // SAFETY: the exchange makes the list this thread's alone; each node is visited once, emptied and freed.
    var newestFirst = unsafe UnsafeMutablePointer<HandedOver<Signal>>(bitPattern: word.exchange(Self.held) & ~Self.held)
    var oldestFirst: UnsafeMutablePointer<HandedOver<Signal>>?
    while let node = unsafe newestFirst {
      unsafe newestFirst = node.pointee.next
      unsafe node.pointee.next = oldestFirst
      unsafe oldestFirst = node
    }
    while let node = unsafe oldestFirst {
      unsafe oldestFirst = node.pointee.next
      let signal = unsafe node.move().signal
      unsafe node.deallocate()
      deliver(signal)
    }
  }

  /// Whether signals wait for the holder, at some time before now.
  @inlinable
  package var hasHandedOver: Bool { word.relaxedLoad() & ~Self.held != 0 }
}

/// A signal on its way from a thread that found the gate taken to the one that holds it.
@unsafe
@usableFromInline
struct HandedOver<Signal> {
  @usableFromInline let signal: Signal
  @usableFromInline var next: UnsafeMutablePointer<HandedOver<Signal>>?

  @inlinable
  init(signal: Signal) { unsafe self.signal = signal }
}
