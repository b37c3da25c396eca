// Two one-sided tests of equivalence (Schuirmann 1987), with signed ranks.

/// The p-value of a change that matters: small where a change is shown to lie within a threshold on both sides.
public enum TwoOneSidedTests {
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
