// That an operator which joins streams was cancelled: for senders that look whether anybody still wants a value of theirs.

import WeirQueues

/// Says that nobody wants a stream any more, though its sender may not have learnt it yet.
///
/// An operator that joins streams takes its cancellation inside its gate. If another thread is in there, the operator's
/// streams learn of it when that delivery is over. A sender of one of them that waits for the delivery finds it said here. It
/// holds neither the operator nor its streams, so it may be kept for as long as any of them.
@usableFromInline
package final class Cutoff {
  @usableFromInline let isSet = AtomicWord(0)
  /// That of an operator further downstream.
  let behind = CutoffSlot()

  /// Says that this operator was cancelled.
  @usableFromInline
  func set() { isSet.publish(1) }
}

/// A place for a cutoff, filled once.
@usableFromInline
package struct CutoffSlot: ~Copyable {
  /// The address of the retained cutoff; 0 while there is none.
  let reference = AtomicWord(0)

  @usableFromInline
  package init() {}

  deinit {
    // SAFETY: nobody else has the slot any more, so that the address is that of the retained cutoff, or 0.
    if let address = unsafe UnsafeRawPointer(bitPattern: reference.relaxedLoad()) {
      unsafe Unmanaged<Cutoff>.fromOpaque(address).release()
    }
  }

  /// Keeps a cutoff, unless there is one.
  func keep(_ cutoff: Cutoff) {
    let retained = unsafe Unmanaged.passRetained(cutoff)
    // Releases the cutoff's fields (`kept`).
    if !reference.compareExchange(expected: 0, desired: unsafe Int(bitPattern: retained.toOpaque())).exchanged {
      // SAFETY: nobody has seen this reference.
      unsafe retained.release()
    }
  }

  /// The cutoff that is kept.
  var kept: Cutoff? {
    // SAFETY: a reference stays as long as the slot. Acquires what `keep` released.
    unsafe UnsafeRawPointer(bitPattern: reference.acquireLoad()).map {
      unsafe Unmanaged<Cutoff>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The cutoff that is kept, made if there is none.
  @usableFromInline
  func made() -> Cutoff {
    if kept == nil { keep(Cutoff()) }
    // SAFETY: there is one now.
    return unsafe kept.unsafelyUnwrapped
  }

  /// Whether one of the operators from here on downstream was cancelled.
  @usableFromInline
  package var isCutOff: Bool {
    var next = kept
    while let cutoff = next {
      if cutoff.isSet.acquireLoad() != 0 { return true }
      next = cutoff.behind.kept
    }
    return false
  }
}
