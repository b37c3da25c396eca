// Mutual exclusion for steps of nanoseconds.
// With WEIR_EXPLORER the one of `Explored.swift` takes its place, and this one is only explored.

/// One word that a thread holds for a short step.
///
/// Whoever comes first when it is free has it, however long others have waited. Synchronization's `Mutex` is handed
/// on by the kernel on Linux (`FUTEX_LOCK_PI`): once threads wait for it, everybody waits until the next of them has
/// woken up, and a step of nanoseconds is passed on every 25 µs. A thread that waits for this one tries again, then
/// lets others run, in case the holder is not running, and at last sleeps between its tries (as WebKit's `WTF::Lock`
/// before it parks).
@usableFromInline
package struct WordLock: ~Copyable {
  @usableFromInline let word = AtomicWord(0)

  @inlinable
  package init() {}

  /// Takes the lock, and acquires what former holders did.
  @inlinable @inline(__always)
  package borrowing func lock() {
    if !word.compareExchange(expected: 0, desired: 1).exchanged { wait() }
  }

  @usableFromInline @inline(never)
  borrowing func wait() {
    var backoff = Backoff()
    repeat {
      if !backoff.snooze() {
        nap()
        // Not one try for each sleep: a thread that takes the lock over and over would leave none free.
        backoff = Backoff()
      }
    } while word.relaxedLoad() != 0 || !word.compareExchange(expected: 0, desired: 1).exchanged
  }

  /// Gives the lock back, and releases what was done under it to the `compareExchange` of the next holder.
  @inlinable @inline(__always)
  package borrowing func unlock() { word.publish(0) }
}

extension WordLock: Sendable {}

#if !WEIR_EXPLORER
  /// What the package locks with. To the explorer, taking it is one step.
  @usableFromInline
  package typealias SpinLock = WordLock
#endif
