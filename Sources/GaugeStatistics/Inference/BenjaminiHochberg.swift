// Benjamini and Hochberg's control of the share of false discoveries (JRSS B 57, 1995).

/// Control of the expected share of wrong ones among the rejections of many independent tests.
public enum BenjaminiHochberg {
  /// P-values that may each be held against the wanted share.
  ///
  /// The k-th smallest of m p-values is multiplied by m / k and made no larger than its successor.
  ///
  /// - Parameter pValues: One p-value per test.
  /// - Returns: The adjusted p-values, in the same order.
  /// - Complexity: O(m log m).
  public static func adjusted(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var ceiling = 1.0
    for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated().reversed() {
      ceiling = min(ceiling, pValues[index] * Double(pValues.count) / Double(rank + 1))
      adjusted[index] = ceiling
    }
    return adjusted
  }
}
