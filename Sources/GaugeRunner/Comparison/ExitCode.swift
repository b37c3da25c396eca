// What `gauge` tells its caller by its exit status.
// No test file: declarations only.

/// Exit status of `gauge`; a comparison ends with the first that applies of `broke`, `worse`, `incomparable`, `better`,
/// `notEnoughData`, `same`.
public enum ExitCode: Int32, Sendable, CaseIterable {
  /// Everything that was compared is the same within the thresholds.
  case same = 0
  /// Something got worse.
  case worse = 2
  /// A benchmark broke: it trapped, hung, threw or reported nonsense.
  case broke = 3
  /// Something got better, and nothing worse.
  case better = 4
  /// Nothing could be compared: no row in common, or only times of unlike machines and counts of unlike heaps.
  case incomparable = 6
  /// Some rows had not enough data for a verdict.
  case notEnoughData = 7
  /// The command line was wrong (`EX_USAGE`).
  case usage = 64
  /// A file was not of the format (`EX_DATAERR`).
  case badFile = 65
  /// A file was missing (`EX_NOINPUT`).
  case missingFile = 66
  /// A file could not be written (`EX_CANTCREAT`).
  case cannotWrite = 73
}
