// The one lock: Synchronization's mutex, with the annotations that ThreadSanitizer needs to see it.

import Synchronization

#if WEIR_TSAN
  @_silgen_name("__tsan_acquire")
  private func threadSanitizerAcquire(_ address: UnsafeRawPointer)
  @_silgen_name("__tsan_release")
  private func threadSanitizerRelease(_ address: UnsafeRawPointer)
#endif

/// State that one thread at a time may touch.
///
/// For rare paths only (subscribing upstream, first demand); user code never runs inside. ThreadSanitizer does not see the
/// mutex's own ordering and reports false races, hence the annotations in builds with `WEIR_TSAN`.
@usableFromInline
package struct Lock<State>: ~Copyable {
  @usableFromInline let mutex: Mutex<Locked<State>>

  package init(_ state: State) { mutex = Mutex(Locked(state: state)) }

  /// Runs `body` with the state, alone.
  package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    var result: Result?
    mutex.withLock { locked in
      #if WEIR_TSAN
        // SAFETY: the address is only a name for the happens-before edge; nothing is read through it.
        unsafe withUnsafePointer(to: &locked) { unsafe threadSanitizerAcquire($0) }
      #endif
      result = body(&locked.state)
      #if WEIR_TSAN
        unsafe withUnsafePointer(to: &locked) { unsafe threadSanitizerRelease($0) }
      #endif
    }
    return result!
  }
}

/// The state behind the mutex, outside region checking. SAFETY: `Lock.withLock` alone reaches it, one thread at a time.
@usableFromInline
struct Locked<State>: @unchecked Sendable {
  var state: State
}
