// How long threads stood ready to run while somebody else had the processor, as the system accounts it.

import CProbes

/// An account of waits for a processor within batches, read now and then.
///
/// The system keeps it for every thread (Linux: the second number of `schedstat`), and anybody may read it. A reading
/// takes a few microseconds, so that it belongs between batches and not into them. There the thread may wait, too, and
/// likes to: the system takes a processor away where a call of it returns. Such a wait is in the account and in no
/// batch, and is seen by the clock.
struct ReadyWait {
  /// Where the numbers come from, so that tests can give others.
  struct Source {
    /// Nanoseconds of waits up to now, and 0 or the error number.
    var account: () -> (nanoseconds: UInt64, error: Int32)
    /// Nanoseconds since an arbitrary start.
    var clock: () -> UInt64 = MonotonicClock.nanoseconds

    /// The account of the thread that reads it.
    static var thisThread: Source { Source { ReadyWait.read(probe_this_thread) } }
    /// The account of all threads of the process together.
    static var allThreads: Source { Source { ReadyWait.read(probe_all_threads) } }
  }

  /// Nanoseconds beyond which a thread must have waited that did nothing but read the account:
  /// many times what that takes.
  static let longestReading = 50_000.0
  /// Readings, one behind the other, of which one will hardly ever not be quick.
  private static let mostReadings = 8

  private let source: Source
  /// Whether what is timed stands still during the waits: they are those of the one thread that works.
  let isOfTheTimed: Bool
  private var last: UInt64 = 0
  /// The end of what is known by the clock: of the last batch, or of the last reading behind it.
  private var moment: UInt64 = 0
  /// Nanoseconds since the last reading that the thread waited outside of batches.
  private var outside = 0.0
  /// Nanoseconds within batches since the beginning.
  private(set) var nanoseconds = 0.0
  /// Why there is no account; `nil` where there is one.
  private(set) var absence: String?

  /// - Parameters:
  ///   - isOfTheTimed: Whether what is timed stands still during the waits.
  ///   - source: The account, and the clock of the batches.
  init(isOfTheTimed: Bool = true, source: Source) {
    self.isOfTheTimed = isOfTheTimed
    self.source = source
  }

  private static func read(_ waiters: probe_waiters) -> (nanoseconds: UInt64, error: Int32) {
    var nanoseconds: UInt64 = 0
    // The pointer is to a local that outlives the call, and the function only stores a number there.
    let error = unsafe probe_read_ready_wait(waiters, &nanoseconds)
    return (nanoseconds, error)
  }

  /// Begins the account: what was before does not count.
  mutating func begin() {
    moment = source.clock()
    _ = look()
    nanoseconds = 0
  }

  /// Takes notice of a batch.
  mutating func notice(from start: UInt64, to end: UInt64) {
    waitOutside(until: start)
    moment = end
  }

  /// Takes notice of everything up to now as one batch.
  mutating func noticeAll() { moment = source.clock() }

  private mutating func waitOutside(until end: UInt64) {
    let span = Double(end &- moment)
    if span > Self.longestReading { outside += span }
    moment = end
  }

  /// Reads the account, behind a batch.
  ///
  /// - Returns: Nanoseconds within the batches since the reading before; 0 where there is no account.
  mutating func look() -> Double {
    guard absence == nil else { return 0 }
    var before = moment
    var now: UInt64 = 0
    // What was waited up to a quick reading is in it. Of a slow one nobody knows whether it was slow before or behind.
    for _ in 0..<Self.mostReadings {
      let (nanoseconds, error) = source.account()
      guard error == 0 else {
        absence = "the waits for a processor: " + System.describe(errorNumber: error)
        return 0
      }
      now = nanoseconds
      let after = source.clock()
      let isQuick = Double(after &- before) <= Self.longestReading
      before = after
      if isQuick { break }
    }
    waitOutside(until: before)
    // A thread that has ended takes its waits with it.
    let waited = max(0, Double(now > last ? now - last : 0) - outside)
    last = now
    outside = 0
    nanoseconds += waited
    return waited
  }

  /// The quantity that the account tells.
  ///
  /// - Parameters:
  ///   - operations: Operations since the beginning.
  ///   - samples: Samples that they were in.
  func measurement(operations: Int, samples: Int) -> Measurement {
    if let absence { return Measurement(.readyWait, .unavailable(absence)) }
    return Measurement(
      .readyWait, .value(nanoseconds / Double(operations)), iterations: operations, samples: samples)
  }
}
