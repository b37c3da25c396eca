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

/// A place for a cutoff, filled once: with an operator's own, or with that of the operator downstream, which it shares.
@usableFromInline
package struct CutoffSlot: ~Copyable {
  /// The address of the retained cutoff, and `shared`; 0 while there is none.
  let reference = AtomicWord(0)
  private static var shared: Int { 1 }

  @usableFromInline
  package init() {}

  deinit {
    // SAFETY: nobody else has the slot any more, so that the address is that of the retained cutoff, or 0.
    unsafe Self.cutoff(at: reference.relaxedLoad())?.release()
  }

  private static func cutoff(at reference: Int) -> Unmanaged<Cutoff>? {
    unsafe UnsafeRawPointer(bitPattern: reference & ~shared).map { unsafe Unmanaged<Cutoff>.fromOpaque($0) }
  }

  /// Keeps a cutoff, unless there is one.
  ///
  /// - Parameter isShared: Whether it is that of the operator downstream, kept instead of an own one.
  /// - Returns: Whether it is kept.
  @discardableResult
  func keep(_ cutoff: Cutoff, isShared: Bool = false) -> Bool {
    let retained = unsafe Unmanaged.passRetained(cutoff)
    let address = unsafe Int(bitPattern: retained.toOpaque())
    // Releases the cutoff's fields (`kept`).
    let isKept = reference.compareExchange(expected: 0, desired: isShared ? address | Self.shared : address).exchanged
    // SAFETY: nobody has seen this reference.
    if !isKept { unsafe retained.release() }
    return isKept
  }

  /// The cutoff that is kept.
  var kept: Cutoff? {
    // SAFETY: a reference stays as long as the slot. Acquires what `keep` released.
    unsafe Self.cutoff(at: reference.acquireLoad())?.takeUnretainedValue()
  }

  /// The cutoff that is kept, made if there is none.
  @usableFromInline
  func made() -> Cutoff {
    if let kept { return kept }
    keep(Cutoff())
    // SAFETY: there is one now.
    return unsafe kept.unsafelyUnwrapped
  }

  /// Takes the cutoff of an operator downstream: shares it, or, if there is an own one, leads on to it.
  ///
  /// - Parameter isShared: Whether nobody but the operator downstream cancels this one.
  func lead(to cutoff: Cutoff, isShared: Bool) {
    if isShared, keep(cutoff, isShared: true) { return }
    let own = made()
    // One that is shared is another operator's, which alone says where it leads.
    if !isKeptShared { own.behind.keep(cutoff) }
  }

  /// Whether the cutoff that is kept is that of the operator downstream.
  private var isKeptShared: Bool { reference.relaxedLoad() & Self.shared != 0 }

  /// Says that the operator was cancelled. One that shares its cutoff says nothing: the operator downstream, which has
  /// cancelled it, does.
  @usableFromInline
  func set() {
    let cutoff = made()
    if !isKeptShared { cutoff.set() }
  }

  /// Whether one of the operators from here on downstream was cancelled.
  @usableFromInline
  package var isCutOff: Bool {
    var next = kept
    // Subscriptions that publishers hand around may lead in a circle.
    for _ in 0..<1024 {
      guard let cutoff = next else { return false }
      if cutoff.isSet.acquireLoad() != 0 { return true }
      next = cutoff.behind.kept
    }
    return false
  }
}
