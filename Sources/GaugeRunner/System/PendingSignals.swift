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

  /// Blocks the signals in the calling thread and in every thread that it starts from now on.
  ///
  /// - Parameter signals: The signals; interrupt, termination and hang-up where not given. To be called while the process
  ///   has one thread, as a signal goes to any thread that doesn't block it.
  init(blocking signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    self.signals = signals
    var set = sigset_t()
    // Safe: the set is this function's own and initialised first.
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The first of the signals that has arrived, if any.
  var first: Int32? {
    var pending = sigset_t()
    // Safe: the set is this function's own and filled by the call.
    guard unsafe sigpending(&pending) == 0 else { return nil }
    return signals.first { unsafe sigismember(&pending, $0) == 1 }
  }
}
