// The one lock: Synchronization's mutex, with the word that ThreadSanitizer needs to see its ordering.
// With WEIR_EXPLORER the one of `Explored.swift` takes its place.

import Synchronization

#if !WEIR_EXPLORER

  /// State that one thread at a time may touch.
  ///
  /// For short steps that are not on a value's way, or that must be one step for several words; user code never runs inside.
  /// ThreadSanitizer does not see the mutex's own ordering and reports false races; in builds with `WEIR_TSAN` each holder
  /// therefore also publishes a word that the next one acquires.
  @usableFromInline
  package struct Lock<State>: ~Copyable {
    @usableFromInline let mutex: Mutex<Locked<State>>
    #if WEIR_TSAN
      @usableFromInline let turn = AtomicWord(0)
    #endif

    @inlinable
    package init(_ state: State) { mutex = Mutex(Locked(state: state)) }

    /// Runs `body` with the state, alone.
    @inlinable @inline(__always)
    package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      var result: Result?
      mutex.withLock { locked in
        #if WEIR_TSAN
          // acquires what the former holder did (release below)
          _ = turn.acquireLoad()
        #endif
        result = body(&locked.state)
        #if WEIR_TSAN
          turn.publish(1)
        #endif
      }
      return result!
    }
  }

  extension Lock: Sendable {}

  /// The state behind the mutex, outside region checking. SAFETY: `Lock.withLock` alone reaches it, one thread at a time.
  @usableFromInline
  struct Locked<State>: @unchecked Sendable {
    @usableFromInline var state: State

    @inlinable
    init(state: State) { self.state = state }
  }
#endif
