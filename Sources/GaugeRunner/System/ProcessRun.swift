// Running a child process to its end: output and report captured, a time limit kept, interrupts obeyed.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a finished child process left behind.
struct ProcessRun: Hashable, Sendable {
  /// Why the run is over.
  enum Ending: Hashable, Sendable {
    /// The process ended by itself.
    case ended(ChildEnding)
    /// It was killed because it ran longer than it may.
    case overdue(limit: Duration)
    /// It was killed because this process was asked to stop.
    case interrupted(signal: Int32)
  }

  /// Why the run is over.
  var ending: Ending
  /// The end of what the process printed on standard error, and on standard output where that is not the report.
  var output: String
  /// What the process wrote to the descriptor that was captured apart.
  var report: String
  /// Whether the process ended by itself with exit code 0.
  var succeeded: Bool { ending == .ended(.exited(0)) }

  /// Bytes of output that are kept: the last ones.
  static let outputLimit = 64 * 1024
  /// Bytes of a report that are kept: the first ones.
  static let reportLimit = 4 * 1024 * 1024

  /// Runs a command in a process group of its own, captures what it prints, and ends whatever it leaves running.
  ///
  /// - Parameters:
  ///   - command: What to run.
  ///   - channel: The child's descriptor that is captured apart as its report: 3, or 1 for programs that report on
  ///     standard output.
  ///   - limit: Time after which it is killed; `nil` waits for ever.
  ///   - signals: Signals on which it is killed at once.
  ///   - reportLimit: Bytes of the report that are kept.
  /// - Returns: How it ended, and what it printed and reported.
  /// - Throws: `SystemError` where it can't be started.
  static func capturing(
    _ command: Command, reportOn channel: Int32 = 3, limit: Duration? = nil, stoppingOn signals: PendingSignals? = nil,
    reportLimit: Int = ProcessRun.reportLimit
  ) throws(SystemError) -> ProcessRun {
    var output = try Pipe.make()
    var report = try Pipe.make()
    // Not the clock that goes on while the machine sleeps: a launch does not.
    let start = SuspendingClock.now
    let child = try Child(
      command,
      descriptors: [
        (child: 1, own: output.writing.number), (child: 2, own: output.writing.number),
        (child: channel, own: report.writing.number),
      ], ownGroup: true)
    output.writing.closeNow()
    report.writing.closeNow()
    return collect(
      child, output: output.reading, report: report.reading, deadline: limit.map { (start + $0, $0) }, signals: signals,
      reportLimit: reportLimit)
  }

  /// Reads both pipes until the child has ended, or must end.
  private static func collect(
    _ child: borrowing Child, output: borrowing Descriptor, report: borrowing Descriptor,
    deadline: (instant: SuspendingClock.Instant, limit: Duration)?, signals: PendingSignals?, reportLimit: Int
  ) -> ProcessRun {
    var printed = BoundedText(keeping: .last, limit: outputLimit)
    var reported = BoundedText(keeping: .first, limit: reportLimit)
    var printing = true
    var reporting = true
    var over: Ending?
    var ended = false
    while over == nil, !ended {
      let wait: Int32 = printing || reporting ? 50 : 2
      waitForInput(printing ? output.number : -1, reporting ? report.number : -1, milliseconds: wait)
      // Asked before reading, so that what the child wrote last is read below.
      ended = child.hasEnded
      if let signal = signals?.first {
        over = .interrupted(signal: signal)
      } else if !ended, let deadline, SuspendingClock.now >= deadline.instant {
        over = .overdue(limit: deadline.limit)
      }
      printing = printing && drain(output, into: &printed)
      reporting = reporting && drain(report, into: &reported)
    }
    // Before reaping, while the child's number is certainly its own; ends what the child left running, too.
    child.killGroup()
    let ending = child.reap()
    return ProcessRun(
      ending: over ?? .ended(ending), output: printed.text, report: reported.text)
  }

  /// Reads what a pipe holds.
  ///
  /// - Returns: Whether more may come.
  private static func drain(_ pipe: borrowing Descriptor, into text: inout BoundedText) -> Bool {
    // Bounded, so that a child that prints faster than this reads can't keep the limit from being looked at.
    for _ in 0..<64 {
      switch pipe.readAvailable() {
      case .bytes(let bytes): text.append(bytes)
      case .nothing: return true
      case .end: return false
      }
    }
    return true
  }

  /// Sleeps until one of two pipes has input or has lost its writers; a negative number stands for none.
  private static func waitForInput(_ first: Int32, _ second: Int32, milliseconds: Int32) {
    var entries = [
      pollfd(fd: first, events: Int16(POLLIN), revents: 0), pollfd(fd: second, events: Int16(POLLIN), revents: 0),
    ]
    // Safe: the array has as many entries as the call is told.
    _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
  }

  /// Runs a command in this process's own group and lets it print on standard error as it goes.
  ///
  /// - Returns: How it ended.
  /// - Throws: `SystemError` where it can't be started.
  static func streaming(_ command: Command) throws(SystemError) -> ChildEnding {
    let child = try Child(command, descriptors: [(child: 1, own: 2), (child: 2, own: 2)], ownGroup: false)
    return child.reap()
  }
}
