// Holm's step-down procedure against false alarms over many tests (Scandinavian Journal of Statistics 6, 1979).

/// Control of the chance that any of many tests rejects wrongly, whatever their dependence.
public enum Holm {
  /// P-values that may each be held against the level that the whole family shall keep.
  ///
  /// The k-th smallest of m p-values is multiplied by m - k + 1, kept at 1 at most, and made no smaller than its
  /// predecessor.
  ///
  /// - Parameter pValues: One p-value per test.
  /// - Returns: The adjusted p-values, in the same order.
  /// - Complexity: O(m log m).
  public static func adjusted(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var floor = 0.0
    for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
      floor = max(floor, min(1, pValues[index] * Double(pValues.count - rank)))
      adjusted[index] = floor
    }
    return adjusted
  }
}
