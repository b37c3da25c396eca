// One run as a page: a table per family of benchmarks.

import Foundation
import Gauge
import GaugeStatistics

/// A run as GitHub's Markdown: faults on top, a table per family (the first part of a benchmark's name), the
/// environment at the end.
///
/// Values are medians over launches; a time has its 95 % bootstrap interval beside it. A metric of an author's own gets
/// a column in the families that have it; the percentiles in between, the maximum and the reference loop are left to
/// the result file. A benchmark whose author names a limit says how many times as long as that it takes per element.
///
/// - Parameters:
///   - results: The run.
///   - title: Title of the page.
/// - Returns: A document that ends with a line feed.
public func resultsMarkdown(_ results: Results, title: String) -> String {
  var lines: [Markdown] = ["# \(title)", ""] + faultsMarkdown(results.faults)
  if let part = results.incompleteness { lines += ["**Incomplete**: \(part).", ""] }
  let families = ResultsTable(results).families
  var reasons = Footnotes()
  for family in families {
    lines += ["## \(family.name)", ""] + family.table(&reasons).markdown + [""]
    if let left = family.left { lines += ["\(left)", ""] }
  }
  if families.isEmpty { lines += ["No measurements.", ""] }
  lines += reasons.lines.flatMap { ["\($0)", ""] as [Markdown] }
  var environment = Table(columns: [Table.Column(title: "environment"), Table.Column(title: "", isName: true)])
  environment.rows = results.environment.filter { !Results.listingFields.contains($0.name) }.map {
    Table.Row(cells: [$0.name, $0.value])
  }
  if !environment.rows.isEmpty { lines += environment.markdown + [""] }
  return Markdown(lines.dropLast()).text + "\n"
}

extension ResultsTable.Family {
  /// What has no column, in a sentence; `nil` where everything has one.
  var left: String? { omitted > 0 ? "\(omitted) more metrics are in the result file." : nil }

  /// The family as a page's table; where a cell has no value, its mark stands for the reason.
  func table(_ reasons: inout Footnotes) -> Table {
    // A page has room for the interval itself.
    let shown = columns.indices.filter { columns[$0].content != .spread }
    var table = Table(
      columns: [Table.Column(title: "benchmark", isName: true)]
        + shown.map { Table.Column(title: columns[$0].title, isNumber: true) })
    for row in rows {
      table.rows.append(
        Table.Row(
          cells: [row.title] + shown.map { Self.text(row.cells[$0], in: columns[$0], &reasons) },
          values: [nil] + shown.map { row.cells[$0].value }))
    }
    return table
  }

  private static func text(
    _ cell: ResultsTable.Cell, in column: ResultsTable.Column, _ reasons: inout Footnotes
  ) -> String {
    switch (cell, column.content) {
    case (.value(let estimate, _), .values(let metric)):
      let value = quantity(estimate.value, of: metric)
      let hasInterval = metric.name == Metric.time.name || metric.kind == .exact
      guard hasInterval, estimate.interval.lower < estimate.interval.upper else { return value }
      let ends = [estimate.interval.lower, estimate.interval.upper].map { quantity($0, of: metric) }
      return "\(value) (\(ends[0]) to \(ends[1]))"
    case (.unavailable(let reason), _): return reasons.mark("unavailable: \(reason)")
    case (.distance(let ratio, let limit), _): return "×\(digits(ratio)) \(limit)"
    case (.none, _), (.value, .spread), (.value, .distance): return "–"
    }
  }
}
