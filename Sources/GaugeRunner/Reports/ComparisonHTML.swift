// A comparison as a page: summary, what changed with its plots, and everything else folded away.

import GaugeStatistics

/// The most rows that are drawn: beyond them the tables tell.
private let drawnRows = 40

/// A comparison as a self-contained HTML page, worst first.
///
/// - Parameters:
///   - comparison: What to report.
///   - base: The run that is compared with, for its launches.
///   - new: The run that is judged.
///   - title: Title of the page.
public func comparisonHTML(_ comparison: Comparison, base: Results, new: Results, title: String) -> String {
  var body = ["<p class=\"summary\">\(markupText(comparison.summary))</p>"]
  body.append("<p class=\"faint\">\(markupText(comparison.terms))</p>")
  body += htmlFaults(comparison.faults)
  let changed = comparison.ranked(.worse) + comparison.ranked(.better)
  let undecided = comparison.ranked(.notEnoughData)
  let (before, after) = (MeasuredRows.grouped(base), MeasuredRows.grouped(new))
  if !changed.isEmpty { body += ["<h2>Changed</h2>", htmlTable(comparison.table(changed))] }
  let drawn = Array((changed + undecided).prefix(drawnRows))
  if !drawn.isEmpty {
    body.append("<h2>Launches<span class=\"key base\"></span>before<span class=\"key new\"></span>after</h2>")
    body += drawn.map { panel($0, before[$0.key]?.values ?? [], after[$0.key]?.values ?? []) }
    if changed.count + undecided.count > drawn.count {
      body.append("<p class=\"faint\">\(changed.count + undecided.count - drawn.count) more rows are not drawn.</p>")
    }
  }
  let folded: [(title: String, rows: [ComparisonEntry])] = [
    ("not enough data", undecided), ("same", comparison.ranked(.same)), ("not judged", comparison.shown),
    ("not compared", comparison.entries.filter { $0.judgement == .refused }),
  ]
  for (title, rows) in folded where !rows.isEmpty {
    body.append("<details><summary>\(rows.count) \(title)</summary>")
    body += [htmlTable(comparison.table(rows)), "</details>"]
  }
  body += comparison.unmatched.map { "<p class=\"faint\">\(markupText($0))</p>" }
  body += environmentHTML([("before", base), ("after", new)])
  return htmlPage(title: title, body: body)
}

private func panel(_ entry: ComparisonEntry, _ before: [Double], _ after: [Double]) -> String {
  let style = entry.verdict == .worse ? " worse" : entry.verdict == .better ? " better" : ""
  let change = entry.change.map { changeText($0, of: entry.metric) } ?? ""
  var parts = ["<section class=\"panel\(style)\">"]
  parts.append(
    "<h3>\(entry.word): <code>\(markupText(entry.key.title))</code> \(entry.key.metric) \(markupText(change))</h3>")
  if !entry.reason.isEmpty { parts.append("<p class=\"faint\">\(markupText(entry.reason))</p>") }
  let sides = [
    PlottedSide(name: "before", style: "base", values: before), PlottedSide(name: "after", style: "new", values: after),
  ]
  let odd = sides.compactMap { side in
    let words = diagnosis(side.values)
    return words.isEmpty ? nil : "\(side.name): \(words)"
  }.joined(separator: "; ")
  if Set(before + after).count > 1 {
    parts.append("<div class=\"plots\">")
    parts.append(htmlFigure(distributionPlot(sides, of: entry.metric), odd))
    parts.append(htmlFigure(launchPlot(sides, of: entry.metric)))
    parts.append("</div>")
  }
  return (parts + ["</section>"]).joined(separator: "\n")
}

/// The environments of runs side by side, folded away.
func environmentHTML(_ runs: [(name: String, results: Results)]) -> [String] {
  var names: [String] = []
  for field in runs.flatMap(\.results.environment) where field.name != Limits.field && !names.contains(field.name) {
    names.append(field.name)
  }
  guard !names.isEmpty else { return [] }
  let table = Table(
    columns: [Table.Column(title: "environment", isName: true)] + runs.map { Table.Column(title: $0.name) },
    rows: names.map { name in
      Table.Row(cells: [name] + runs.map { $0.results.environment(name) ?? "" })
    })
  return ["<details><summary>environment</summary>", htmlTable(table), "</details>"]
}
