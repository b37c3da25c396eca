// Which operator joins a stream with others: for senders that look whether anybody still wants a value of it.

import WeirQueues

/// Keeps the operator that joins a stream with others, if one does, beside the stream's subscription.
///
/// The operator's streams learn of its cancellation from the thread that is inside its gate, when the delivery is over. A
/// sender of one of them that waits for that delivery finds here that nobody would take its value.
@usableFromInline
package struct JoinerSlot: ~Copyable {
  /// The address of the retained link; 0 while there is none.
  @usableFromInline let reference = AtomicWord(0)

  @usableFromInline
  package init() {}

  deinit { empty() }

  /// Keeps the operator's subscription, unless there is one.
  func keep(_ joiner: Link) {
    let retained = unsafe Unmanaged.passRetained(joiner)
    // Releases the link's fields, for `isCutOff`.
    guard reference.compareExchange(expected: 0, desired: unsafe Int(bitPattern: retained.toOpaque())).exchanged else {
      // SAFETY: nobody has seen this reference.
      return unsafe retained.release()
    }
  }

  /// Lets go of it. Only for a caller that knows of no other thread in `isCutOff`.
  @usableFromInline
  func empty() {
    // SAFETY: the exchange takes the retained reference out, once.
    if let address = unsafe UnsafeRawPointer(bitPattern: reference.exchange(0)) {
      unsafe Unmanaged<Link>.fromOpaque(address).release()
    }
  }

  /// Whether the operator was cancelled, or another one behind it.
  @usableFromInline
  var isCutOff: Bool {
    // SAFETY: the reference stays until `empty`, which nobody calls meanwhile.
    guard let address = unsafe UnsafeRawPointer(bitPattern: reference.acquireLoad()) else { return false }
    return unsafe Unmanaged<Link>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.isCutOff }
  }
}
