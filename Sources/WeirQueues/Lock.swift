// The one lock: Synchronization's mutex, with the annotations that ThreadSanitizer needs to see it.

import Synchronization

#if WEIR_TSAN
  @_silgen_name("__tsan_acquire")
  @usableFromInline
  func threadSanitizerAcquire(_ address: UnsafeRawPointer)
  @_silgen_name("__tsan_release")
  @usableFromInline
  func threadSanitizerRelease(_ address: UnsafeRawPointer)
#endif

/// State that one thread at a time may touch.
///
/// For rare paths only (subscribing upstream, first demand); user code never runs inside. ThreadSanitizer does not see the
/// mutex's own ordering and reports false races, hence the annotations in builds with `WEIR_TSAN`.
@safe
@usableFromInline
package struct Lock<State>: ~Copyable {
  @usableFromInline let mutex: Mutex<Locked<State>>
  #if WEIR_TSAN
    /// Names the happens-before edge. The state's own address won't do: to take it is an access already.
    @usableFromInline let edge = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

    deinit { unsafe edge.deallocate() }
  #endif

  @inlinable
  package init(_ state: State) { mutex = Mutex(Locked(state: state)) }

  /// Runs `body` with the state, alone.
  @inlinable @inline(__always)
  package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    var result: Result?
    mutex.withLock { locked in
      #if WEIR_TSAN
        // SAFETY: the address is only a name; nothing is read through it.
        unsafe threadSanitizerAcquire(edge)
      #endif
      result = body(&locked.state)
      #if WEIR_TSAN
        unsafe threadSanitizerRelease(edge)
      #endif
    }
    return result!
  }
}

/// The state behind the mutex, outside region checking. SAFETY: `Lock.withLock` alone reaches it, one thread at a time.
@usableFromInline
struct Locked<State>: @unchecked Sendable {
  @usableFromInline var state: State

  @inlinable
  init(state: State) { self.state = state }
}
