// How a managed state keeps the changes of several threads apart.

public import Foundation
import WeirQueues

/// How a ``ManagedState`` keeps the changes of several threads apart.
///
/// No lock is held while a subscriber runs. Rules and the closure of `withLock` run while the state belongs to their
/// thread, with what comes to a subscriber because they ask, subscribe or cancel. Two states whose rules write into
/// each other do not deadlock: see `BehavioralStateContract.applyBindingRules(to:)`.
public enum ManagedStateLock {
  /// Not at all: one thread uses the state, or the user keeps threads apart. Changes that threads, or tasks of one
  /// thread, make at the same time may be lost. The state's own memory stays valid, but its rules run at the same time
  /// then, with the operators before them.
  case absent

  /// One thread at a time changes the state; others wait, but where they would wait for each other, or for long for a
  /// task: <doc:WeirState> says what happens then.
  case synced

  /// As ``synced``; in addition a lock of the user's is held while the value is read or stored, but not where a
  /// subscriber gets it as it subscribes or asks.
  ///
  /// CombineExt held it while subscribers ran, so that a lock that is not recursive deadlocked at the first read. Here
  /// it is never held while any closure runs, and need not be recursive. Don't use the state while you hold the lock,
  /// recursive or not: a thread that is changing the state waits for the lock then, and you for that thread.
  case custom(any NSLocking)
}

private let defaultLock = Lock(ManagedStateLock.synced)

/// The lock of managed states that are made without one of their own. Any thread may set it; it holds for those that
/// are made later.
public var ManagedStateDefaultLock: ManagedStateLock {
  get { defaultLock.withLock { $0 } }
  set {
    // What is replaced is freed after the lock: the `deinit` of a lock may be user code.
    var exchanged = newValue
    defaultLock.withLock { swap(&$0, &exchanged) }
  }
}

/// Holds a lock of the user's for a short step.
@usableFromInline
final class Guardian {
  @usableFromInline let lock: any NSLocking

  /// - Returns: `nil` if there is no such lock.
  @usableFromInline
  init?(_ choice: ManagedStateLock) {
    guard case .custom(let lock) = choice else { return nil }
    self.lock = lock
  }

  @inlinable
  func run<Result>(_ step: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return step()
  }
}
