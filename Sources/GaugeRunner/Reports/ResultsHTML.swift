// One run as a page: a table and plots per family, how benchmarks scale, and their course over the history.

import Foundation
import Gauge
import GaugeStatistics

/// A run as a self-contained HTML page.
///
/// - Parameters:
///   - results: The run.
///   - title: Title of the page.
///   - series: The courses of a history, of which those of this run's times and counts are drawn.
func resultsHTML(_ results: Results, title: String, series: [HistorySeries] = []) -> String {
  let part = results.incompleteness.map { ["<p class=\"verdict unsure\">Incomplete: \($0)</p>" as Markup] } ?? []
  var body: [Markup] = []
  let families = ResultsTable(results).families
  var reasons = Footnotes()
  let summary = RunSummary(results, title: title)
  let measured = Dictionary(grouping: summary.points) { Limits.family(of: $0.benchmark) }
  let scalable = Dictionary(grouping: ScalingSeries.all(in: results, metric: nil)) { Limits.family(of: $0.title) }
  let courses = Dictionary(grouping: series) { Limits.family(of: $0.key.benchmark) }
  for family in families {
    body += ["<h2>\(family.name)</h2>", htmlTable(family.table(&reasons))]
    if let left = family.left { body.append("<p class=\"faint\">\(left)</p>") }
    let points = measured[family.name] ?? []
    let scaling = (scalable[family.name] ?? []).compactMap { series in
      scalingPlot(series).map { htmlFigure($0.svg, $0.caption) }
    }
    body += htmlFigures("scaling", scaling, isOpen: true)
    let names = Set(points.map(\.title))
    let charted = (courses[family.name] ?? []).filter { names.contains($0.key.title) && isCharted($0) }
    let trends = charted.compactMap { series in
      trendPlot(series).map { htmlFigure($0, "\(series.key.title) \(series.key.metric)") }
    }
    body += htmlFigures("history", trends, isOpen: true)
    body += htmlFigures("launches", points.compactMap(launchPanel), isOpen: false)
  }
  if families.isEmpty { body.append("<p>No measurements.</p>") }
  body += htmlFootnotes(reasons) + environmentHTML([(title, results)])
  return htmlPage(title: title, lead: part + htmlFaults(results.faults), body: body)
}

/// Pictures that can be folded away.
private func htmlFigures(_ title: String, _ figures: [Markup], isOpen: Bool) -> [Markup] {
  guard !figures.isEmpty else { return [] }
  let start: Markup = isOpen ? "<details open>" : "<details>"
  return ["\(start)<summary>\(title)</summary><div class=\"plots\">"] + figures + ["</div></details>"]
}

/// Whether a course is drawn: times, and counts that have changed.
private func isCharted(_ series: HistorySeries) -> Bool {
  series.key.metric == Metric.time.name || series.isExact && !series.changes.isEmpty
}

/// The times of a benchmark's launches; `nil` where they are all the same.
private func launchPanel(_ point: RunSummary.Point) -> Markup? {
  guard let time = point.row(.time), Set(time.values).count > 1 else { return nil }
  let side = [PlottedSide(name: point.title, style: "new", values: time.values)]
  let distribution = distributionPlot(side, of: time.metric)
  let words = [distribution.caption, diagnosis(time.values)].filter { !$0.isEmpty }.joined(separator: "; ")
  return """
    <section class="panel"><h3><code>\(point.title)</code> time</h3><div class="plots">
    \(htmlFigure(distribution.svg, words))
    \(htmlFigure(launchPlot(side, of: time.metric)))</div></section>
    """
}
