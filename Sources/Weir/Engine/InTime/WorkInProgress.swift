// Who works, when jobs on several threads come for the same work: the one that finds nobody at it.

import WeirQueues

/// Counts the turns that jobs bring, and lets one job at a time work them off.
///
/// Each piece of work is scheduled by a job of its own, which brings one turn when it runs. A job that finds nobody at
/// work takes the role, and works until there are no turns left; one that finds another at work leaves its turn to that
/// and returns, so that no thread of a pool ever waits. Turns are alike: which job brought one says nothing about which
/// piece of work it takes. So the order of the work holds on concurrent schedulers too, and on a serial one each job
/// does its own. No operation depends on another thread: all are wait-free.
@usableFromInline
package struct WorkInProgress: ~Copyable {
  /// How a job that brings a turn finds the work.
  @frozen
  @usableFromInline
  package enum Finding {
    /// Nobody was at it: the caller has the role now.
    case idle
    /// The caller is at it, further up its stack.
    case nested
    /// Another thread is at it, and takes the turn.
    case busy
  }

  // Jobs on several threads write the count, while the producer and the one at work use what is around it.
  @usableFromInline let paddingBefore = CacheLinePadding()
  @usableFromInline let count = AtomicWord(0)
  /// The thread at work, or 0; only compared with the reader's own identity.
  @usableFromInline let worker = AtomicWord(0)
  @usableFromInline let paddingBehind = CacheLinePadding()

  @inlinable
  package init() {}

  /// Whether this thread is at work, further up its stack.
  @inlinable
  package var isWorkingHere: Bool { worker.relaxedLoad() == currentThreadIdentity() }

  /// Takes the role if nobody has it, else adds turns for who has.
  ///
  /// - Returns: Whether the caller has the role now.
  @inlinable @inline(__always)
  package func raise(_ turns: Int = 1) -> Bool {
    // Releases what the turns are for, and acquires what the last one at work wrote (pairs with itself and with
    // `settle`).
    count.add(turns) == 0
  }

  /// Brings turns, from a job.
  @inlinable @inline(__always)
  package func bring(_ turns: Int) -> Finding {
    if raise(turns) { return .idle }
    return isWorkingHere ? .nested : .busy
  }

  /// Begins to work off turns. Only for who has the role.
  @inlinable @inline(__always)
  package func begin() { worker.relaxedStore(currentThreadIdentity()) }

  /// Ends what `begin` began. Only for who has the role.
  ///
  /// - Parameter turns: How many were worked off.
  /// - Returns: How many are left; with none the role is given up.
  @inlinable @inline(__always)
  package func settle(_ turns: Int) -> Int {
    // Before the count: the next one to take the role, which this may be the moment for, writes its own name.
    worker.relaxedStore(0)
    // Releases what was written at work, and acquires what further turns are for (pairs with `raise`).
    return count.add(-turns) - turns
  }

  /// Takes back turns that were worked off within the work of the same thread, which stays at it.
  @inlinable @inline(__always)
  package func settleNested(_ turns: Int) { _ = count.add(-turns) }
}
