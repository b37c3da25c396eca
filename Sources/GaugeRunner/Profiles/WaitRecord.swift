// Single waits of a launch, and its threads: values, from which reports are made.
// No test file: it only holds what was read; the tests of WaitReport and of WaitRecord+Words use all of it.

/// The threads of a launch, and their waits.
struct WaitRecord: Hashable, Sendable {
  /// A thread within the recording.
  struct Thread: Hashable, Sendable {
    /// The system's number.
    var id: UInt64
    /// Its name.
    var name: String
    /// Nanoseconds from the begin of the recording to the thread's.
    var start: Int
    /// Nanoseconds from the begin of the recording to the thread's end, or that of the recording.
    var end: Int
    /// Nanoseconds that it ran.
    var running: Int
    /// Nanoseconds that it stood ready without a processor.
    var ready: Int
    /// Nanoseconds that it waited, in waits that are listed or not.
    var waiting: Int
    /// Place of the thread that has made it; `nil` where nobody knows.
    var maker: Int?
  }

  /// A wait.
  struct Wait: Hashable, Sendable {
    /// Place of the thread.
    var thread: Int
    /// What it waited for: a number that the file has a name for.
    var cause: UInt64
    /// Nanoseconds from the begin of the recording to that of the wait.
    var start: Int
    /// Nanoseconds from the begin of the recording to the end of the wait.
    var end: Int
    /// Nanoseconds off the processor, without those that the thread was ready for.
    var blocked: Int
    /// Place of the stack; `nil` where there was no room for it.
    var stack: Int?
    /// Place of the thread that has ended the wait; `nil` where nobody knows.
    var waker: Int?
    /// Place of that thread's stack.
    var wakerStack: Int?
    /// Nanoseconds from the begin of the recording to when the wait was ended, or ended itself:
    /// what follows is the way back.
    var woken: Int
  }

  /// Nanoseconds of the recording.
  let span: Int
  /// Error number of the system for which the time that threads stood ready is unknown; 0 where it is known.
  let unaccounted: Int32
  /// Waits that are not listed, as they were too many.
  let unlisted: Int
  /// The threads.
  let threads: [Thread]
  /// The waits.
  let waits: [Wait]
  /// The number of stacks that there must be.
  let highestStack: Int

  /// - Parameters:
  ///   - span: Nanoseconds of the recording.
  ///   - unaccounted: Error number for which the time that threads stood ready is unknown; 0 where it is known.
  ///   - unlisted: Waits that are not listed.
  ///   - threads: The threads.
  ///   - waits: The waits, of these threads.
  init(span: Int, unaccounted: Int32 = 0, unlisted: Int = 0, threads: [Thread], waits: [Wait]) {
    self.span = span
    self.unaccounted = unaccounted
    self.unlisted = unlisted
    self.threads = threads
    self.waits = waits
    highestStack = waits.reduce(0) { max($0, ($1.stack ?? -1) + 1, ($1.wakerStack ?? -1) + 1) }
  }
}
