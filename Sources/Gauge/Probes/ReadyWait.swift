// How long threads stood ready to run while somebody else had the processor, as the system accounts it.

import CProbes

/// An account of waits for a processor, read a span at a time.
///
/// The system keeps it for every thread (Linux: the second number of `schedstat`), and anybody may read it. A reading takes
/// a few microseconds, so that it belongs between samples and not into them.
struct ReadyWait {
  /// Nanoseconds up to now, and 0 or the error number.
  typealias Source = () -> (nanoseconds: UInt64, error: Int32)

  private let source: Source
  /// Whether what is timed stands still during the waits: they are those of the one thread that works.
  let isOfTheTimed: Bool
  private var last: UInt64 = 0
  /// Nanoseconds since the beginning.
  private(set) var nanoseconds = 0.0
  /// Why there is no account; `nil` where there is one.
  private(set) var absence: String?

  /// - Parameters:
  ///   - isOfTheTimed: Whether what is timed stands still during the waits.
  ///   - source: The account.
  init(isOfTheTimed: Bool = true, source: @escaping Source) {
    self.isOfTheTimed = isOfTheTimed
    self.source = source
  }

  /// The account of the thread that reads it: where all of an operation is done by the thread that times it.
  static var ofThisThread: ReadyWait { ReadyWait { read(probe_this_thread) } }

  /// The account of all threads of the process together.
  ///
  /// - Parameter isOfTheTimed: Whether one of them works at a time.
  static func ofAllThreads(isOfTheTimed: Bool) -> ReadyWait {
    ReadyWait(isOfTheTimed: isOfTheTimed) { read(probe_all_threads) }
  }

  private static func read(_ waiters: probe_waiters) -> (nanoseconds: UInt64, error: Int32) {
    var nanoseconds: UInt64 = 0
    // The pointer is to a local that outlives the call, and the function only stores a number there.
    let error = unsafe probe_read_ready_wait(waiters, &nanoseconds)
    return (nanoseconds, error)
  }

  /// Begins the account: what was before does not count.
  mutating func begin() {
    nanoseconds = 0
    _ = look()
    nanoseconds = 0
  }

  /// Reads the account.
  ///
  /// - Parameter other: Nanoseconds of waits since the reading before that are none of what is accounted for.
  /// - Returns: Nanoseconds since the reading before; 0 where there is no account.
  mutating func look(less other: Double = 0) -> Double {
    guard absence == nil else { return 0 }
    let (now, error) = source()
    guard error == 0 else {
      absence = "the waits for a processor: " + System.describe(errorNumber: error)
      return 0
    }
    // A thread that has ended takes its waits with it.
    let waited = max(0, Double(now > last ? now - last : 0) - other)
    last = now
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
