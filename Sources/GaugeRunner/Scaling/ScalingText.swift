// The scaling of a run as text: for each series its medians, and the law that they bear out.

import Foundation
import Gauge
import GaugeStatistics

/// The text of `gauge scaling`, a paragraph per series.
func scalingText(_ series: [ScalingSeries]) -> String {
  series.map { series in
    let rows = series.medians.map { point in
      "  \(series.axis)=\(allDigits(point.size))  \(quantity(point.value, of: series.metric))"
    }
    let law = series.isOverThreads && series.metric.polarity == .higher ? scalability(series) : complexity(series)
    return (["\(series.title): \(series.metric.name) over \(series.axis)"] + rows + law.map { "  \($0)" })
      .joined(separator: "\n") + "\n"
  }.joined(separator: "\n")
}

private func complexity(_ series: ScalingSeries) -> [String] {
  let fits = ComplexityFit.fits(series.points.map { ($0.size, $0.value) })
  guard let best = fits.first else { return ["no fit: needs 4 sizes and values above 0"] }
  func value(_ value: Double) -> String { quantity(value, of: series.metric) }
  let law = best.law == .constant ? "" : " · \(best.law.rawValue)"
  let base = best.law == .constant ? "" : " + \(value(best.base))"
  var lines = [
    "grows as \(best.law.rawValue): \(value(best.factor.value))\(law)\(base), within ±\(percent(best.error))",
    "95 % interval of the factor: \(value(best.factor.interval.lower)) to \(value(best.factor.interval.upper))",
  ]
  // Raftery's scale for differences of the criterion: below 2 is worth no more than a mention.
  let rivals = fits.dropFirst().filter { $0.criterion < best.criterion + 2 }.map(\.law.rawValue)
  if !rivals.isEmpty { lines.append("nearly as well: \(rivals.joined(separator: ", "))") }
  return lines
}

private func scalability(_ series: ScalingSeries) -> [String] {
  guard let fit = ScalabilityFit(series.points.map { ($0.size, $0.value) }) else {
    return ["no fit: needs 4 numbers of threads and values above 0"]
  }
  func interval(_ estimate: Estimate) -> String {
    "\(digits(estimate.value)) [\(digits(estimate.interval.lower)), \(digits(estimate.interval.upper))]"
  }
  let rate = quantity(fit.rate.value, of: series.metric)
  let peak = fit.peak.map { "most at \(digits(max(1, $0))) threads" } ?? "more threads never do less"
  return [
    "universal scalability law: λ = \(rate), within ±\(percent(fit.error))",
    "contention σ = \(interval(fit.contention)), coherence κ = \(interval(fit.coherence)) (95 %): \(peak)",
  ]
}

private func percent(_ part: Double) -> String { digits(part * 100) + " %" }
