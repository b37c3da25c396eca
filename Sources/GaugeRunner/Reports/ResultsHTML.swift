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
  var body = htmlFaults(results.faults)
  let families = ResultsTable(results).families
  var reasons = ResultsTable.Reasons()
  let summary = RunSummary(results, title: title)
  let scalable = ScalingSeries.all(in: results, metric: nil)
  for family in families {
    body += ["<h2>\(markupText(family.name))</h2>", htmlTable(family.table(&reasons))]
    let points = summary.points.filter { Limits.family(of: $0.benchmark) == family.name }
    let scaling = scalable.filter { Limits.family(of: $0.title) == family.name }.compactMap { series in
      scalingPlot(series).map { htmlFigure($0.svg, $0.caption) }
    }
    if !scaling.isEmpty { body += ["<h3>scaling</h3>", "<div class=\"plots\">"] + scaling + ["</div>"] }
    let names = Set(points.map(\.title))
    let trends = series.filter { names.contains($0.key.title) && isCharted($0) }.compactMap { series in
      trendPlot(series).map { htmlFigure($0, "\(series.key.title) \(series.key.metric)") }
    }
    if !trends.isEmpty {
      body += ["<details open><summary>history</summary><div class=\"plots\">"] + trends + ["</div></details>"]
    }
    body.append("<details><summary>launches</summary>")
    for point in points { body += launchFigures(point) }
    body.append("</details>")
  }
  if families.isEmpty { body.append("<p>No measurements.</p>") }
  body += reasons.lines.map { "<p class=\"faint\">\(markupText($0))</p>" }
  body += environmentHTML([(title, results)])
  return htmlPage(title: title, body: body)
}

/// Whether a course is drawn: times, and counts that have changed.
private func isCharted(_ series: HistorySeries) -> Bool {
  series.key.metric == Metric.time.name || series.isExact && !series.changes.isEmpty
}

private func launchFigures(_ point: RunSummary.Point) -> [String] {
  guard let time = point.row(.time), Set(time.values).count > 1 else { return [] }
  let side = [PlottedSide(name: point.title, style: "new", values: time.values)]
  return [
    "<section class=\"panel\"><h3><code>\(markupText(point.title))</code> time</h3><div class=\"plots\">",
    htmlFigure(distributionPlot(side, of: time.metric), diagnosis(time.values)),
    htmlFigure(launchPlot(side, of: time.metric)), "</div></section>",
  ]
}
