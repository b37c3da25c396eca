// How a cost grows with a size: the usual laws, fitted with relative errors, and the one that the values bear out.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A law of growth.
public enum GrowthLaw: String, Sendable, CaseIterable {
  /// The same at every size.
  case constant = "1"
  /// With the logarithm.
  case logarithmic = "log n"
  /// In proportion.
  case linear = "n"
  /// In proportion, times the logarithm.
  case linearithmic = "n log n"
  /// With the square.
  case quadratic = "n²"

  /// The law at a size of at least 1.
  public func value(at size: Double) -> Double {
    switch self {
    case .constant: 1
    case .logarithmic: log2(size)
    case .linear: size
    case .linearithmic: size * log2(size)
    case .quadratic: size * size
    }
  }
}

/// A law fitted to costs: `base + factor · law(n)`.
public struct ComplexityFit: Hashable, Sendable {
  /// The law.
  public var law: GrowthLaw
  /// What the cost grows from; 0 for a constant law, whose factor is the cost.
  public var base: Double
  /// What the law is multiplied by, with its confidence interval.
  public var factor: Estimate
  /// Root mean square of the relative errors.
  public var error: Double
  /// Bayesian information criterion: of two laws the one with the smaller one is borne out.
  public var criterion: Double

  /// The cost at a size of at least 1, by the law.
  public func cost(at size: Double) -> Double { base + factor.value * law.value(at: size) }

  /// Fits all laws.
  ///
  /// Each error is taken relative to its value, since a time varies by a part of itself, whatever the size. A law that
  /// would have to shrink with the size is left out.
  ///
  /// - Parameters:
  ///   - points: Sizes of at least 1, and costs above 0; several may share a size.
  ///   - confidence: Probability that the interval holds.
  /// - Returns: The laws, best first; empty where there are fewer than 4 sizes, as 3 bear out too many laws.
  public static func fits(
    _ points: [(size: Double, cost: Double)], confidence: Double = 0.95
  ) -> [ComplexityFit] {
    guard Set(points.map(\.size)).count >= 4, points.allSatisfy({ $0.size >= 1 && $0.cost > 0 && $0.cost.isFinite })
    else { return [] }
    return GrowthLaw.allCases.compactMap { fit($0, points, confidence) }.sorted { $0.criterion < $1.criterion }
  }

  private static func fit(
    _ law: GrowthLaw, _ points: [(size: Double, cost: Double)], _ confidence: Double
  ) -> ComplexityFit? {
    let growth = points.map { law.value(at: $0.size) / $0.cost }
    let columns = law == .constant ? [growth] : [growth, points.map { 1 / $0.cost }]
    guard let fit = LeastSquares(columns, points.map { _ in 1 }), fit.coefficients[0] > 0 else { return nil }
    let count = Double(points.count)
    let freedom = count - Double(columns.count)
    let deviation = (fit.inverse[0][0] * fit.residual / freedom).squareRoot()
    let reach = deviation * StudentDistribution(degreesOfFreedom: freedom).quantile((1 + confidence) / 2)
    // A fit without any error would be infinitely better than one with the errors of rounding.
    let variance = max(fit.residual / count, 1e-24)
    return ComplexityFit(
      law: law, base: columns.count == 1 ? 0 : fit.coefficients[1],
      factor: Estimate(
        fit.coefficients[0], Interval(fit.coefficients[0] - reach, fit.coefficients[0] + reach)),
      error: (fit.residual / count).squareRoot(),
      criterion: count * log(variance) + Double(columns.count) * log(count))
  }
}
