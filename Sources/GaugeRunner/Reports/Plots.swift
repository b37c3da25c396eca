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

/// How often each value occurred, as steps over a common axis, with each side's median as a line.
///
/// What lies far above the rest would press everything else into one step: it is left out, and told in the caption.
func distributionPlot(_ sides: [PlottedSide], of metric: Metric) -> (svg: Markup, caption: String) {
  let sides = sides.filter { !$0.values.isEmpty }
  let all = sides.flatMap(\.values)
  let low = all.min() ?? 0
  let fence = sides.map { upperFence($0.values) }.max() ?? 0
  let high = all.filter { $0 <= fence }.max() ?? low
  let width = max((high - low) / Double(steps), abs(high) * 0.001, 1e-300)
  let counts = sides.map { side in
    side.values.filter { $0 <= high }.reduce(into: [Int](repeating: 0, count: steps)) { counts, value in
      counts[min(steps - 1, Int((value - low) / width))] += 1
    }
  }
  let most = zip(sides, counts).map { Double($1.max() ?? 0) / Double($0.values.count) }.max() ?? 1
  var plot = Plot(
    "share of the launches", x: [low, low + width * Double(steps)], y: [0, most],
    labelX: { quantity($0, of: metric) }, labelY: { "\(digits($0 * 100)) %" })
  for (side, counts) in zip(sides, counts) {
    let outline = counts.enumerated().flatMap { step, count -> [(x: Double, y: Double)] in
      let share = Double(count) / Double(side.values.count)
      return [(low + width * Double(step), share), (low + width * Double(step + 1), share)]
    }
    plot.line(outline, style: "area \(side.style)", filled: true)
    let middle = median(of: side.values)
    if middle <= high {
      plot.rule(x: middle, style: "median \(side.style)", title: "\(side.name): \(quantity(middle, of: metric))")
    }
  }
  let beyond = all.filter { $0 > high }
  let caption = beyond.max().map {
    "\(beyond.count) of \(all.count) launches are beyond, up to \(quantity($0, of: metric))"
  }
  return (plot.svg(), caption ?? "")
}

/// Steps of a distribution.
private let steps = 24

/// The value above which a launch is left out of a distribution: three times the distance between the quartiles above
/// the upper one.
private func upperFence(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let (lower, upper) = (quantile(0.25, ofSorted: sorted), quantile(0.75, ofSorted: sorted))
  return upper + max(3 * (upper - lower), abs(upper) * 0.05)
}

/// Each launch's value, in the order of the run.
func launchPlot(_ sides: [PlottedSide], of metric: Metric) -> Markup {
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
func trendPlot(_ series: HistorySeries) -> Markup? {
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
func scalingPlot(_ series: ScalingSeries) -> (svg: Markup, caption: String)? {
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
