// The plots of the HTML reports: distributions, launches in time order, courses over many runs, scaling.

import Foundation
import Gauge
import GaugeStatistics

/// One side of a comparison in a plot.
struct PlottedSide {
  /// Its name in the legend.
  var name: String
  /// Its style: `base` or `new`.
  var style: String
  /// One value per launch in time order.
  var values: [Double]
}

/// The density of each side's launches, by a normal kernel of Silverman's width, with the median as a line.
func distributionPlot(_ sides: [PlottedSide], of metric: Metric) -> String {
  let sides = sides.filter { !$0.values.isEmpty }
  let curves = sides.map { density($0.values) }
  var plot = Plot(
    "distribution over launches", x: sides.flatMap(\.values), y: [0] + curves.flatMap { $0.map(\.y) },
    labelX: { quantity($0, of: metric) }, labelY: { _ in "" })
  for (side, curve) in zip(sides, curves) {
    plot.line(curve, style: "area \(side.style)", filled: true)
    let middle = median(of: side.values)
    plot.rule(x: middle, style: "median \(side.style)", title: "\(side.name): \(quantity(middle, of: metric))")
  }
  return plot.svg()
}

/// Each launch's value, in the order of the run.
func launchPlot(_ sides: [PlottedSide], of metric: Metric) -> String {
  let sides = sides.filter { !$0.values.isEmpty }
  var plot = Plot(
    "launches in time order", x: [1] + sides.map { Double($0.values.count) }, y: sides.flatMap(\.values),
    labelX: { $0 >= 1 && $0 == $0.rounded() ? "\(Int($0))" : "" }, labelY: { quantity($0, of: metric) })
  for side in sides {
    plot.dots(side.values.enumerated().map { (Double($0 + 1), $1) }, style: side.style)
  }
  return plot.svg()
}

/// The median of each run with its interval, and the changes that last.
func trendPlot(_ series: HistorySeries) -> String? {
  guard series.entries.count > 1, let metric = series.entries.last?.metric else { return nil }
  let points = series.entries.enumerated().map { (x: Double($0 + 1), y: $1.estimate.value) }
  var plot = Plot(
    "runs", x: points.map(\.x),
    y: series.entries.flatMap { [$0.estimate.interval.lower, $0.estimate.interval.upper] },
    labelX: { $0 >= 1 && $0 == $0.rounded() ? "\(Int($0))" : "" }, labelY: { quantity($0, of: metric) })
  plot.bars(
    series.entries.enumerated().map { (Double($0 + 1), $1.estimate.interval.lower, $1.estimate.interval.upper) },
    style: "interval new")
  plot.line(points, style: "course new")
  plot.dots(points, style: "new")
  for change in series.changes {
    plot.rule(
      x: Double(change.index) + 0.5, style: "change \(change.verdict.rawValue)",
      title: "\(quantity(change.before, of: metric)) to \(quantity(change.after, of: metric))")
  }
  return plot.svg()
}

/// A metric along an axis of numbers, with the law that it bears out.
///
/// - Returns: The picture and the law in words; `nil` with fewer than three places, or values that are not above 0.
func scalingPlot(_ series: ScalingSeries) -> (svg: String, caption: String)? {
  let points = series.estimates
  guard points.count >= 3, points.allSatisfy({ $0.size > 0 && $0.estimate.interval.lower > 0 }) else { return nil }
  let law = ScalingLaw(series)
  let (low, high) = (points[0].size, points[points.count - 1].size)
  let places = (0...40).map { low * pow(high / low, Double($0) / 40) }
  // A base below 0 may take a law below it between the sizes, which has no place on a logarithmic axis.
  let curve = law.map { law in places.map { (x: $0, y: law.value($0)) }.filter { $0.y > 0 } } ?? []
  var plot = Plot(
    series.axis, x: points.map(\.size),
    y: points.flatMap { [$0.estimate.interval.lower, $0.estimate.interval.upper] } + curve.map(\.y),
    isLogarithmic: true, labelX: { allDigits($0) }, labelY: { quantity($0, of: series.metric) })
  plot.line(curve, style: "fit")
  plot.bars(points.map { ($0.size, $0.estimate.interval.lower, $0.estimate.interval.upper) }, style: "interval new")
  plot.dots(points.map { ($0.size, $0.estimate.value) }, style: "new")
  let words = law?.summary ?? "(\(ScalingLaw.need(of: series)))"
  return (plot.svg(), "\(series.title) over \(series.axis): \(series.metric.name) \(words)")
}

/// What is odd about a side's launches, in words; empty where nothing is.
func diagnosis(_ values: [Double]) -> String {
  guard values.count >= 8 else { return "" }
  let sorted = values.sorted()
  var words: [String] = []
  let outliers = Outliers(values, fences: .adjusted(sorted: sorted))
  if outliers.severe > 0 { words.append("\(outliers.severe) of \(values.count) launches far out") }
  if DipTest(sorted: sorted).pValue <= 0.01 { words.append("more than one mode") }
  return words.joined(separator: ", ")
}

/// A kernel density estimate, at 80 places.
private func density(_ values: [Double]) -> [(x: Double, y: Double)] {
  let sorted = values.sorted()
  let (low, high) = (sorted[0], sorted[sorted.count - 1])
  let spread = quantile(0.75, ofSorted: sorted) - quantile(0.25, ofSorted: sorted)
  let deviation = Summary(values)?.standardDeviation ?? 0
  let scale = min(deviation, spread > 0 ? spread / 1.34 : deviation)
  let width = max(0.9 * scale * pow(Double(values.count), -0.2), (high - low) / 200, abs(high) * 1e-6, 1e-12)
  return (0...80).map { step in
    let x = low - 3 * width + (high - low + 6 * width) * Double(step) / 80
    let sum = values.reduce(0) { $0 + exp(-($1 - x) * ($1 - x) / (2 * width * width)) }
    return (x, sum / (Double(values.count) * width * (2 * Double.pi).squareRoot()))
  }
}
