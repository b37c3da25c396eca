// Interrupts that wait to be asked for: blocked signals, looked at between two steps, need no handler.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Signals that should end the work in hand cleanly instead of ending the process.
struct PendingSignals: Sendable {
  private let signals: [Int32]

  /// The signal of a terminal's key that interrupts.
  static let interrupt = SIGINT
  /// The signal of a terminal's key that quits, with a dump of the process's memory where nothing else is done.
  static let quit = SIGQUIT

  /// Blocks the signals in the calling thread and in every thread that it starts from now on.
  ///
  /// - Parameter signals: The signals; interrupt, termination and hang-up where not given. To be called while the
  ///   process has one thread, as a signal goes to any thread that doesn't block it.
  init(blocking signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    self.signals = signals
    var set = sigset_t()
    // Safe: the set is this function's own and initialised first.
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The same signals and one more, which is blocked as they are.
  func adding(_ signal: Int32) -> PendingSignals { PendingSignals(blocking: signals + [signal]) }

  /// The first of the signals that has arrived, if any.
  var first: Int32? {
    var pending = sigset_t()
    // Safe: the set is this function's own and filled by the call.
    guard unsafe sigpending(&pending) == 0 else { return nil }
    return signals.first { unsafe sigismember(&pending, $0) == 1 }
  }

  /// Waits for a time, or for the first of the signals: for it twenty times a second.
  ///
  /// - Returns: Whether the time has passed without one.
  func isCalm(for time: Duration) -> Bool {
    let start = ContinuousClock.now
    while first == nil {
      let left = time - (ContinuousClock.now - start)
      guard left > .zero else { return true }
      let step = min(left, .milliseconds(50)).components
      var rest = timespec(tv_sec: Int(step.seconds), tv_nsec: Int(step.attoseconds / 1_000_000_000))
      // Safe: the call reads the record that it is given. A signal may end it early.
      _ = unsafe nanosleep(&rest, nil)
    }
    return false
  }
}
