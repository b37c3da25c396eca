// A comparison as a page: summary, what changed with its plots, and everything else folded away.

import GaugeStatistics

/// The most rows that are drawn: beyond them the tables tell.
private let drawnRows = 40

/// A comparison as a self-contained HTML page: the verdict, what changed with its launches, the worst first, and
/// everything else folded away.
///
/// - Parameters:
///   - comparison: What to report.
///   - base: The run that is compared with, for its launches.
///   - new: The run that is judged.
///   - title: Title of the page.
public func comparisonHTML(_ comparison: Comparison, base: Results, new: Results, title: String) -> String {
  let (verdict, style) = comparison.headline
  var lead: [Markup] = [
    "<p class=\"verdict \(style)\">\(verdict)</p>", "<p class=\"summary\">\(comparison.summary)</p>",
  ]
  if let sentence = comparison.variedSentence { lead.append("<p class=\"summary\">\(sentence)</p>") }
  var body: [Markup] = []
  let changes = comparison.changeTable(namesAll: true)
  if !changes.rows.isEmpty {
    body += ["<h2>Changed</h2>", htmlTable(changes)]
    body += panels(comparison.changes.joined().map(\.entry), base, new)
  }
  let undecided = comparison.ranked(.notEnoughData)
  let refused = comparison.entries.filter { $0.judgement == .refused }
  for (title, rows) in [
    ("not enough data", undecided), ("same", comparison.ranked(.same)), ("not judged", comparison.shown),
    ("not compared", refused),
  ] {
    body += htmlFolded("\(rows.count) \(title)", comparison.table(rows))
  }
  body += (comparison.unmatched + [comparison.terms]).map { "<p class=\"faint\">\($0)</p>" }
  body += environmentHTML([("before", base), ("after", new)])
  return htmlPage(title: title, lead: lead + htmlFaults(comparison.faults), body: body)
}

extension Comparison {
  /// The verdict in a word or three, and its style.
  fileprivate var headline: (words: String, style: String) {
    switch exitCode {
    case .broke: ("Broke", "worse")
    case .worse: ("Worse", "worse")
    case .better: ("Better", "better")
    case .same: ("The same", "")
    case .notEnoughData: ("Not enough data", "unsure")
    default: ("Not comparable", "unsure")
    }
  }
}

/// The launches of rows, drawn.
private func panels(_ entries: [ComparisonEntry], _ base: Results, _ new: Results) -> [Markup] {
  let (before, after) = (MeasuredRows.grouped(base), MeasuredRows.grouped(new))
  let drawn = entries.prefix(drawnRows).compactMap {
    panel($0, before[$0.key]?.values ?? [], after[$0.key]?.values ?? [])
  }
  guard !drawn.isEmpty else { return [] }
  let left = entries.count - drawnRows
  return ["<h2>Launches<span class=\"key base\"></span>before<span class=\"key new\"></span>after</h2>"] + drawn
    + (left > 0 ? ["<p class=\"faint\">\(left) more rows are not drawn.</p>"] : [])
}

/// A row with its launches; `nil` where those of each side are all the same, as the table says all there is.
private func panel(_ entry: ComparisonEntry, _ before: [Double], _ after: [Double]) -> Markup? {
  guard Set(before).count > 1 || Set(after).count > 1 else { return nil }
  let style = entry.verdict == .worse ? "worse" : entry.verdict == .better ? "better" : ""
  let change = entry.change.map { changeText($0, of: entry.metric) } ?? ""
  let sides = [
    PlottedSide(name: "before", style: "base", values: before), PlottedSide(name: "after", style: "new", values: after),
  ]
  let odd = sides.compactMap { side in
    let words = diagnosis(side.values)
    return words.isEmpty ? nil : "\(side.name): \(words)"
  }
  let distribution = distributionPlot(sides, of: entry.metric)
  return """
    <section class="panel \(style)">
    <h3>\(entry.word): <code>\(entry.key.title)</code> \(entry.key.metric) \(change)</h3>
    <p class="faint">\(entry.reason)</p>
    <div class="plots">
    \(htmlFigure(distribution.svg, ([distribution.caption] + odd).filter { !$0.isEmpty }.joined(separator: "; ")))
    \(htmlFigure(launchPlot(sides, of: entry.metric)))
    </div>
    </section>
    """
}

/// The environments of runs side by side, folded away.
func environmentHTML(_ runs: [(name: String, results: Results)]) -> [Markup] {
  var names: [String] = []
  var known = Results.listingFields
  for field in runs.flatMap(\.results.environment) where known.insert(field.name).inserted { names.append(field.name) }
  let values = runs.map { run in
    Dictionary(run.results.environment.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
  let table = Table(
    columns: [Table.Column(title: "environment", isName: true)] + runs.map { Table.Column(title: $0.name) },
    rows: names.map { name in Table.Row(cells: [name] + values.map { $0[name] ?? "" }) })
  return htmlFolded("environment", table)
}
