// How long a thread that waits for work spins before it sleeps.

/// Spins for as long as that has paid lately.
///
/// Falling asleep and being woken takes two threads some microseconds; spinning takes the processor. A wait that was
/// longer than the budget, and no longer than what may be spun at most, doubles the budget; one that was longer than
/// that halves it, down to nothing. So values that follow each other closely find the thread awake, and others cost no
/// more than the sleep. This is how KVM polls before it halts a processor (`halt_poll_ns`), after Karlin, Li, Manasse
/// and Owicki, "Empirical Studies of Competitive Spinning for a Shared-Memory Multiprocessor" (SOSP 1991).
///
/// Where other threads want the processor, a spinner uses up what the system would give it when a value comes: they run
/// then, for milliseconds. A spinner for whom time has jumped has lost its processor. It doesn't spin for a while then:
/// longer each time that this happens again soon.
struct SpinBudget {
  /// How far the clock jumps, in nanoseconds, for a thread that was not running.
  static let interruption = 50_000

  private static let least = 2_000
  private static let shortestPause = 10_000_000
  private static let longestPause = 1_000_000_000

  private let most: Int
  private var nanoseconds: Int
  /// Until then there is no spinning.
  private var pauseEnd = 0
  private var pause = shortestPause

  /// - Parameter most: How many nanoseconds may be spun at most; 0 for none.
  init(most: Int) {
    self.most = most
    nanoseconds = most
  }

  /// How many nanoseconds may be spun in a wait that begins at a moment.
  func limit(at now: Int) -> Int { now < pauseEnd ? 0 : nanoseconds }

  /// Learns from a wait.
  ///
  /// - Parameter length: How many nanoseconds it took, with the sleep.
  mutating func noteWait(of length: Int) {
    if length > most {
      nanoseconds = nanoseconds / 2 < Self.least ? 0 : nanoseconds / 2
    } else if length > nanoseconds {
      nanoseconds = min(most, max(Self.least, nanoseconds * 2))
    }
  }

  /// Learns that the processor was taken away while this thread spun.
  mutating func noteInterruption(at now: Int) {
    let isSoon = now - pauseEnd < pause
    pause = isSoon ? min(pause * 2, Self.longestPause) : Self.shortestPause
    pauseEnd = now + pause
  }
}
