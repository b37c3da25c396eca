// Something that happens once, whichever thread comes first.

import WeirQueues

/// A flag that fires once, wait-free.
@usableFromInline
package struct OneShot: ~Copyable {
  @usableFromInline let fired = AtomicWord(0)

  @inlinable
  package init() {}

  /// Fires. The exchange orders everything that this thread reads afterwards behind what the flag's owner wrote before
  /// it shared the object; there is no second winner to pair with.
  ///
  /// - Returns: `true` to the first caller only, which alone may then touch what the flag guards.
  @inlinable
  package func fire() -> Bool { fired.exchange(1) == 0 }

  /// Whether it has fired: for threads that only need to notice some time after it did.
  @inlinable @inline(__always)
  package var hasFired: Bool { fired.relaxedLoad() != 0 }
}
