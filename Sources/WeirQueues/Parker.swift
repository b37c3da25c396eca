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
  #else
    private let parker: OpaquePointer

    deinit { unsafe machine_parker_destroy(parker) }
  #endif

  /// Creates a parker that nobody has signalled.
  public init() {
    #if !WEIR_EXPLORER
      unsafe parker = machine_parker_create()
    #endif
  }

  /// Sleeps until `unpark` has been called, which may have happened before. Acquires what that caller did.
  public func park() {
    #if WEIR_EXPLORER
      while signalled.acquireLoad() == 0 { exploredMemory.sleep(forever: true) { self.hasSignalled } }
    #else
      unsafe machine_parker_wait(parker)
    #endif
  }

  /// Sleeps until `unpark` has been called, or for a time. Acquires what that caller did.
  ///
  /// - Parameter nanoseconds: How long; if it is not above zero, this does not sleep.
  public func park(atMost nanoseconds: Int) {
    #if WEIR_EXPLORER
      // A limit of decades is none, so that a signal that never comes is noticed.
      if nanoseconds > 1 << 60 { return park() }
      // Goes on when it is signalled, or when no other thread can: a time limit is long.
      exploredMemory.sleep(forever: false) { self.isSignalled }
      _ = signalled.acquireLoad()
    #else
      unsafe machine_parker_wait_for(parker, Int64(nanoseconds))
    #endif
  }

  /// Wakes the sleeping thread, or the one that is about to sleep. Releases what the caller did.
  public func unpark() {
    #if WEIR_EXPLORER
      isSignalled = true
      _ = signalled.exchange(1)
      hasSignalled = true
    #else
      unsafe machine_parker_signal(parker)
    #endif
  }

  /// Forgets the signal, so that a further wait can begin. For the thread that sleeps here, when `unpark` has been
  /// called for the wait before, and no more is called for that.
  package func reset() {
    #if WEIR_EXPLORER
      isSignalled = false
      hasSignalled = false
      signalled.relaxedStore(0)
    #else
      unsafe machine_parker_reset(parker)
    #endif
  }
}

// SAFETY: a mutex and a condition variable behind the pointer, which is constant.
extension Parker: @unchecked Sendable {}
