// A thread's place to sleep until another one wakes it: for the few waits that may be long.

import CMachine

/// Lets one thread sleep until another one has called `unpark`, once: make one for each wait. In the manner of `Parker`
/// in crossbeam-utils and `LockSupport` in Java. `WeirVerify` explores code that is written on it.
@safe
public final class Parker {
  #if WEIR_EXPLORER
    private let signalled = AtomicWord(0)
    private var isSignalled = false
    private var hasSignalled = false

    public init() {}

    public func park() {
      while signalled.acquireLoad() == 0 { exploredMemory.sleep(forever: true) { self.hasSignalled } }
    }

    /// Goes on when it is signalled, or when no other thread can: a time limit is long.
    public func park(atMost nanoseconds: Int) {
      exploredMemory.sleep(forever: false) { self.isSignalled }
      _ = signalled.acquireLoad()
    }

    public func unpark() {
      isSignalled = true
      _ = signalled.exchange(1)
      hasSignalled = true
    }
  #else
    private let parker: OpaquePointer

    /// Creates a parker that nobody has signalled.
    public init() { unsafe parker = machine_parker_create() }

    deinit { unsafe machine_parker_destroy(parker) }

    /// Sleeps until `unpark` has been called, which may have happened before. Acquires what that caller did.
    public func park() { unsafe machine_parker_wait(parker) }

    /// Sleeps until `unpark` has been called, or for a time. Acquires what that caller did.
    ///
    /// - Parameter nanoseconds: How long.
    public func park(atMost nanoseconds: Int) { unsafe machine_parker_wait_for(parker, Int64(nanoseconds)) }

    /// Wakes the sleeping thread, or the one that is about to sleep. Releases what the caller did.
    public func unpark() { unsafe machine_parker_signal(parker) }
  #endif
}

// SAFETY: a mutex and a condition variable behind the pointer, which is constant.
extension Parker: @unchecked Sendable {}
