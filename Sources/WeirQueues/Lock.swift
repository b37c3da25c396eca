// The one lock over state: a spin lock, and the place for the state.
// With WEIR_EXPLORER the one of `Explored.swift` takes its place.

import Synchronization

#if !WEIR_EXPLORER

  /// State that one thread at a time may touch.
  ///
  /// For short steps that are not on a value's way, or that must be one step for several words; user code never runs
  /// inside, but for the comparison of moments in a `TestScheduler`. The mutex is but the place where the state can be
  /// changed: under the spin lock nobody ever waits for it.
  @usableFromInline
  package struct Lock<State>: ~Copyable {
    @usableFromInline let mutex: Mutex<Locked<State>>
    @usableFromInline let turn = SpinLock()

    @inlinable
    package init(_ state: State) { mutex = Mutex(Locked(state: state)) }

    /// Runs `body` with the state, alone.
    @inlinable @inline(__always)
    package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      var result: Result?
      turn.lock()
      mutex.withLock { result = body(&$0.state) }
      turn.unlock()
      return result!
    }
  }

  extension Lock: Sendable {}

  /// The state behind the mutex, outside region checking. SAFETY: `Lock.withLock` alone reaches it, one thread at a
  /// time.
  @usableFromInline
  struct Locked<State>: @unchecked Sendable {
    @usableFromInline var state: State

    @inlinable
    init(state: State) { self.state = state }
  }
#endif
