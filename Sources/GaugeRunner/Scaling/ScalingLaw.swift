// The law that a series of a run bears out, for the text of `gauge scaling` and for the curves of the reports.

import Gauge
import GaugeStatistics

/// A law fitted to a series: in words, and as a curve.
struct ScalingLaw {
  /// The law in one line.
  let summary: String
  /// How sure it is, line by line.
  let details: [String]
  /// The value by the law, at a place on the axis.
  let value: (_ size: Double) -> Double

  /// Fits a series.
  ///
  /// - Returns: `nil` where there are fewer than 4 places, or values that are not above 0.
  init?(_ series: ScalingSeries) {
    let fitted = Self.isScalability(series) ? ScalingLaw(scalability: series) : ScalingLaw(complexity: series)
    guard let fitted else { return nil }
    self = fitted
  }

  /// What a series lacks that can't be fitted.
  static func need(of series: ScalingSeries) -> String {
    "no fit: needs 4 \(isScalability(series) ? "numbers of threads" : "sizes") and values above 0"
  }

  private static func isScalability(_ series: ScalingSeries) -> Bool {
    series.isOverThreads && series.metric.polarity == .higher
  }

  private init?(complexity series: ScalingSeries) {
    let fits = ComplexityFit.fits(series.points.map { ($0.size, $0.value) })
    guard let best = fits.first else { return nil }
    func text(_ value: Double) -> String { quantity(value, of: series.metric) }
    let law = best.law == .constant ? "" : " · \(best.law.rawValue)"
    let base = best.law == .constant ? "" : " + \(text(best.base))"
    summary = "grows as \(best.law.rawValue): \(text(best.factor.value))\(law)\(base), within ±\(percent(best.error))"
    var lines = [
      "95 % interval of the factor: \(text(best.factor.interval.lower)) to \(text(best.factor.interval.upper))"
    ]
    // Raftery's scale for differences of the criterion: below 2 is worth no more than a mention.
    let rivals = fits.dropFirst().filter { $0.criterion < best.criterion + 2 }.map(\.law.rawValue)
    if !rivals.isEmpty { lines.append("nearly as well: \(rivals.joined(separator: ", "))") }
    details = lines
    value = { best.cost(at: $0) }
  }

  private init?(scalability series: ScalingSeries) {
    guard let fit = ScalabilityFit(series.points.map { ($0.size, $0.value) }) else { return nil }
    func interval(_ estimate: Estimate) -> String {
      "\(digits(estimate.value)) [\(digits(estimate.interval.lower)), \(digits(estimate.interval.upper))]"
    }
    let rate = quantity(fit.rate.value, of: series.metric)
    let peak = fit.peak.map { "most at \(digits(max(1, $0))) threads" } ?? "more threads never do less"
    summary = "universal scalability law: λ = \(rate), within ±\(percent(fit.error))"
    details = [
      "contention σ = \(interval(fit.contention)), coherence κ = \(interval(fit.coherence)) (95 %): \(peak)"
    ]
    value = { fit.throughput(of: $0) }
  }
}

private func percent(_ part: Double) -> String { digits(part * 100) + " %" }
