// The writing side of a launch report: each line goes out as soon as it is known, so that a launch that dies later
// still leaves what it measured.

/// Writes a launch report line by line.
final class ReportWriter {
  private let write: (String) -> Void
  private var hasEnded = false

  /// Writes the first line.
  ///
  /// - Parameter write: Takes text and brings it to the reader before it returns.
  init(write: @escaping (String) -> Void) {
    self.write = write
    write(LaunchReport.header + "\n")
  }

  /// A writer to a file descriptor; one that can't be written to ends the process, as there is nobody left to tell.
  convenience init(descriptor: Int32) {
    self.init { text in
      let error = System.write(text, to: descriptor)
      guard error != 0 else { return }
      _ = System.write(
        "error: the report can't be written to file descriptor \(descriptor): "
          + System.describe(errorNumber: error) + "\n", to: 2)
      System.end(ExitStatus.cannotWrite)
    }
  }

  /// Writes one measurement.
  func add(_ measurement: Measurement) {
    write(LaunchReport.line(measurement) + "\n")
  }

  /// Writes the last line; further endings are ignored, as a launch ends once.
  func end(_ ending: LaunchReport.Ending) {
    guard !hasEnded else { return }
    hasEnded = true
    write(LaunchReport.line(ending) + "\n")
  }
}

/// Exit codes of a benchmark executable; those above 63 are the ones of BSD's `sysexits.h`.
enum ExitStatus {
  /// Measured, or skipped with a reason.
  static let success: Int32 = 0
  /// The benchmark failed; the report says why.
  static let failure: Int32 = 1
  /// The arguments, or the suite itself, can't be understood.
  static let usage: Int32 = 64
  /// The `gauge` executable is not where it should be.
  static let missingFile: Int32 = 66
  /// The report can't be written.
  static let cannotWrite: Int32 = 73
}
