// What an interval says against a practical threshold: worse, better, equivalent, or nothing yet.

/// The outcome of judging a change.
public enum Verdict: String, Sendable, CaseIterable {
  /// The change is for the worse, by more than the threshold.
  case worse
  /// The change is for the better, by more than the threshold.
  case better
  /// The change is within the threshold, whichever direction it has.
  case same
  /// The interval reaches across the threshold: the data support no verdict.
  case notEnoughData
}

/// The test of a change against a practical threshold by the inclusion of its interval (Westlake 1972).
public enum Equivalence {
  /// Judges a change.
  ///
  /// - Parameters:
  ///   - change: Interval of the change, 0 being none.
  ///   - threshold: The largest change that does not matter, in the same unit, at least 0.
  ///   - lowerIsBetter: Whether a negative change is an improvement.
  /// - Returns: `same` if the whole interval lies within ± `threshold`, `worse` or `better` if it lies wholly beyond.
  public static func verdict(change: Interval, threshold: Double, lowerIsBetter: Bool) -> Verdict {
    precondition(threshold >= 0, "a threshold must not be negative")
    if change.lower >= -threshold && change.upper <= threshold { return .same }
    if change.lower > threshold { return lowerIsBetter ? .worse : .better }
    if change.upper < -threshold { return lowerIsBetter ? .better : .worse }
    return .notEnoughData
  }
}
