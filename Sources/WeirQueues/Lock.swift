// The one lock over state: a spin lock, and the place for the state.
// With WEIR_EXPLORER the one of `Explored.swift` takes its place.

import Synchronization

#if !WEIR_EXPLORER

  /// State that one thread at a time may touch.
  ///
  /// For short steps that are not on a value's way, or that must be one step for several words: a thread that waits
  /// spins, lets others run, and at last sleeps between its tries. Of the package's locks no user code runs inside, but
  /// for the moments of a `TestScheduler`, which are compared and freed there. `WeirVerify` explores code that is
  /// written on it.
  ///
  /// It is `Sendable` whatever the state is, and the compiler does not look at what gets out of `body`: references to
  /// objects that are not `Sendable` have to stay inside, or go to one thread alone.
  public struct Lock<State>: ~Copyable {
    // Only the place where the state can be changed: under the spin lock nobody ever waits for it.
    @usableFromInline let mutex: Mutex<Locked<State>>
    @usableFromInline let turn = SpinLock()

    /// Creates a lock that nobody holds.
    @inlinable
    public init(_ state: State) { mutex = Mutex(Locked(state: state)) }

    /// Runs `body` with the state, alone. Any thread may call it, but not within `body`. Blocking.
    @inlinable @inline(__always)
    public borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
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
