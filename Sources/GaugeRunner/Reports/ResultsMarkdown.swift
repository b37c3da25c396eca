// One run as a page: a table per family of benchmarks.

import Foundation
import Gauge
import GaugeStatistics

/// The metrics that have a column of their own, in this order.
private let columns: [(title: String, metric: String)] = [
  ("time", Metric.time.name), ("mean", Metric.meanTime.name), ("per element", Metric.timePerElement.name),
  ("throughput", Metric.throughput.name),
  ("p50", Metric.latency(percentile: "50").name), ("p99", Metric.latency(percentile: "99").name),
  ("p99.9", Metric.latency(percentile: "99.9").name),
  ("open p50", Metric.openLatency(percentile: "50").name), ("open p99", Metric.openLatency(percentile: "99").name),
  ("open p99.9", Metric.openLatency(percentile: "99.9").name), ("open rate", Metric.openLoopRate.name),
  ("allocations", Metric.allocations.name),
  ("frees", Metric.frees.name), ("bytes", Metric.allocatedBytes.name),
  ("peak", Metric.peakHeap.name),
]

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
  var lines = ["# \(title)", ""] + faultsMarkdown(results.faults)
  let rows = MeasuredRows.grouped(results)
  for (family, table) in familyTables(rows, limits: Limits(in: results)) {
    lines += ["## \(family)", ""] + table.markdown + [""]
  }
  if rows.isEmpty { lines += ["No measurements.", ""] }
  var environment = Table(columns: [Table.Column(title: "environment"), Table.Column(title: "", isName: true)])
  environment.rows = results.environment.filter { $0.name != Limits.field }.map {
    Table.Row(cells: [$0.name, $0.value])
  }
  if !environment.rows.isEmpty { lines += environment.markdown + [""] }
  return lines.dropLast().joined(separator: "\n") + "\n"
}

/// The tables of a run, by family: the first part of the benchmarks' names.
func familyTables(
  _ rows: [ResultRow.Key: MeasuredRows], limits: Limits
) -> [(family: String, table: Table)] {
  Dictionary(grouping: rows.keys) { Limits.family(of: $0.benchmark) }.sorted { $0.key < $1.key }
    .map { ($0.key, familyTable($0.value, rows, limits)) }
}

private func familyTable(
  _ keys: [ResultRow.Key], _ rows: [ResultRow.Key: MeasuredRows], _ limits: Limits
) -> Table {
  let present = Set(keys.map(\.metric))
  let own = present.filter(isAuthorsOwn).sorted().map { (title: $0, metric: $0) }
  let shown = columns.filter { present.contains($0.metric) } + own
  let distances = Dictionary(grouping: keys, by: \.title).compactMapValues { keys in
    limits.distance(of: keys[0].benchmark, keys[0].parameters, in: rows)
  }
  let titles = shown.map(\.title) + (distances.isEmpty ? [] : ["times its limit"])
  var table = Table(
    columns: [Table.Column(title: "benchmark", isName: true)]
      + titles.map { Table.Column(title: $0, isNumber: true) })
  // Ordered by name, and by the parameters' numbers rather than their digits.
  let benchmarks = Dictionary(grouping: keys, by: \.title).sorted {
    $0.key.compare($1.key, options: .numeric) == .orderedAscending
  }
  for (title, keys) in benchmarks {
    let cells = shown.map { column in
      keys.first { $0.metric == column.metric }.flatMap { rows[$0] }.map(cell) ?? "–"
    }
    let distance = distances[title].map { "×\(digits($0.ratio)) \($0.limit)" } ?? "–"
    table.rows.append(Table.Row(cells: [title] + cells + (distances.isEmpty ? [] : [distance])))
  }
  return table
}

/// Whether a metric is none of the built-in ones.
private func isAuthorsOwn(_ metric: String) -> Bool {
  !metric.hasPrefix("latency_") && !metric.hasPrefix("open_latency_") && !columns.contains { $0.metric == metric }
    && !(Metric.machine + [.meanByMedian, .readyWait]).map(\.name).contains(metric)
}

private func cell(_ rows: MeasuredRows) -> String {
  guard let estimate = rows.estimate(ComparisonOptions()) else {
    return "unavailable: \(rows.unavailable ?? "no value")"
  }
  let value = quantity(estimate.value, of: rows.metric)
  let isTime = rows.metric.name == Metric.time.name
  guard isTime || rows.metric.kind == .exact, estimate.interval.lower < estimate.interval.upper else { return value }
  return value + " (\(quantity(estimate.interval.lower, of: rows.metric)) to "
    + "\(quantity(estimate.interval.upper, of: rows.metric)))"
}
