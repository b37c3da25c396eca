// Two one-sided tests of equivalence (Schuirmann 1987), with Welch's t and with ranks.

/// The p-value of a change that matters: small where a change is shown to lie within a threshold on both sides.
public enum TwoOneSidedTests {
  /// By Welch's t test, for means.
  ///
  /// - Parameters:
  ///   - first: A sample.
  ///   - second: Another.
  ///   - threshold: The largest difference that does not matter, at least 0.
  /// - Returns: The larger of both tests' p-values; `nil` where Welch's test has none.
  public static func welch(_ first: [Double], _ second: [Double], threshold: Double) -> Double? {
    precondition(threshold >= 0, "a threshold must not be negative")
    return Welch(first, second).map { welch in
      let student = StudentDistribution(degreesOfFreedom: welch.degreesOfFreedom)
      return max(
        student.cumulative((welch.difference - threshold) / welch.standardError),
        student.cumulative(-(welch.difference + threshold) / welch.standardError))
    }
  }

  /// By the Mann-Whitney test, for a shift of any distribution.
  ///
  /// - Parameters:
  ///   - first: A sample, not empty.
  ///   - second: Another, not empty.
  ///   - threshold: The largest shift that does not matter, at least 0.
  ///   - method: Which null distribution is used.
  public static func ranks(
    _ first: [Double], _ second: [Double], threshold: Double, method: MannWhitney.Method = .automatic
  ) -> Double {
    precondition(threshold >= 0, "a threshold must not be negative")
    return max(
      MannWhitney(first, second.map { $0 - threshold }, method: method).pValue(.less),
      MannWhitney(first, second.map { $0 + threshold }, method: method).pValue(.greater))
  }

  /// By the signed-rank test, for a shift within pairs.
  ///
  /// - Parameters:
  ///   - differences: Second minus first of each pair.
  ///   - threshold: The largest shift that does not matter, at least 0.
  public static func signedRanks(_ differences: [Double], threshold: Double) -> Double {
    precondition(threshold >= 0, "a threshold must not be negative")
    return max(
      SignedRank(differences.map { $0 - threshold }).pValue(.less),
      SignedRank(differences.map { $0 + threshold }).pValue(.greater))
  }
}
