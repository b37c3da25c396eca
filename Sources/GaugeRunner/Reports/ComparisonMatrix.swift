// Several variants against one base: a row for each benchmark, a column for each variant.

import Gauge
import GaugeStatistics

/// Comparisons of several new sides with one base.
struct ComparisonMatrix {
  /// A new side.
  struct Column {
    /// Its place among the variants that were asked for, from 1 on.
    var number: Int
    /// What it has otherwise than the base.
    var name: String
    /// Its verdicts; `nil` where there are none.
    var comparison: Comparison?
    /// Why there are none; empty where there are some.
    var failure = ""
  }

  /// A metric of a benchmark on all sides.
  struct Row {
    /// Benchmark, parameters and metric.
    var key: ResultRow.Key
    /// What became of it in each column; `nil` where a column lacks it.
    var entries: [ComparisonEntry?]

    /// Whether every column has it, and as it was.
    var isSame: Bool { entries.allSatisfy { $0?.verdict == .same } }
  }

  /// What the variants are compared with, in words.
  let base: String
  /// The variants in the order in which they were asked for.
  let columns: [Column]
  /// What the verdicts are held against, in one paragraph.
  let terms: String

  /// The variants that have verdicts.
  var judged: [(column: Column, comparison: Comparison)] {
    columns.compactMap { column in column.comparison.map { (column, $0) } }
  }

  /// The time of each benchmark, and what else of it any variant changes or leaves open.
  var rows: [Row] {
    let known = judged.map { _, comparison in
      Dictionary(comparison.entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let keys = Set(
      known.flatMap { entries in
        entries.values.filter {
          $0.key.metric == Metric.time.name || ![.same, nil].contains($0.verdict)
        }.map(\.key)
      })
    func place(_ key: ResultRow.Key) -> (String, Int, String) {
      (key.title, key.metric == Metric.time.name ? 0 : 1, key.metric)
    }
    return keys.sorted { place($0) < place($1) }.map { key in Row(key: key, entries: known.map { $0[key] }) }
  }

  /// A table of some rows; what marks in it stand for is added to the footnotes.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - places: Which of the judged variants are its columns.
  ///   - footnotes: Takes what is said of cells.
  ///   - titleWidth: Characters of a column's title at most.
  func table(_ rows: [Row], _ places: Range<Int>, _ footnotes: inout Footnotes, titleWidth: Int = .max) -> Table {
    let judged = judged
    let titles = places.map { place in
      let column = judged[place].column
      return Table.cut("\(column.number): \(column.name)", to: titleWidth, inMiddle: true)
    }
    var table = Table(
      columns: [Table.Column(title: "benchmark", minimum: 12, isName: true), Table.Column(title: "metric", minimum: 8)]
        + titles.map { Table.Column(title: $0) })
    for row in rows {
      var cells = [row.key.title, row.key.metric]
      for place in places { cells.append(cell(row, place, judged[place].comparison, &footnotes)) }
      table.rows.append(Table.Row(cells: cells))
    }
    return table
  }

  private func cell(
    _ row: Row, _ place: Int, _ comparison: Comparison, _ footnotes: inout Footnotes
  ) -> String {
    guard let entry = row.entries[place] else {
      return comparison.faults.contains { $0.title == row.key.title } ? "broke" : "–"
    }
    let change = entry.change.map { changeText($0, of: entry.metric) } ?? ""
    // How wide "the same" is, is said once for all.
    let isNoted = !entry.reason.isEmpty && (entry.verdict != .same || entry.change == nil)
    let mark = isNoted ? footnotes.mark(entry.reason) : ""
    return [entry.word, change, mark].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A variant in one line: how many rows got which verdict, and by how much its times have changed in the middle.
  func summary(of column: Column) -> String {
    let name = "\(column.number): \(column.name): "
    guard let comparison = column.comparison else { return name + column.failure }
    let counts =
      "\(comparison.count(.worse)) worse, \(comparison.count(.better)) better, \(comparison.count(.same)) same, "
      + "\(comparison.count(.notEnoughData)) not enough data"
    let broken = comparison.faults.isEmpty ? "" : "\(comparison.faults.count) broke, "
    let change = Self.medianTimeChange(comparison).map { "; median change of the times \(percentChange($0))" } ?? ""
    let apart = comparison.onlyInBase.count + comparison.onlyInNew.count
    return name + broken + counts + change
      + (apart == 0 ? "" : "; \(apart) \(apart == 1 ? "row" : "rows") only on one side")
      + comparison.refusals.map { "; " + $0 }.joined()
  }

  /// The median of what times have changed by, as a ratio; what was not measured, as it is the same, has not changed.
  static func medianTimeChange(_ comparison: Comparison) -> Double? {
    let changes = comparison.entries.filter { $0.key.metric == Metric.time.name }.compactMap { entry in
      entry.change?.estimate.value ?? (entry.verdict == .same ? 1 : nil)
    }
    return changes.isEmpty ? nil : median(of: changes)
  }

  /// What is judged, in one line.
  var headline: String { "Each variant against \(base)." }

  /// What broke, with the variant in which it did.
  var faults: [BenchmarkFault] {
    judged.flatMap { column, comparison in
      comparison.faults.map { fault in
        var fault = fault
        fault.reason = "with \(column.name): " + fault.reason
        return fault
      }
    }
  }

  /// The exit status of all comparisons together.
  var exitCode: ExitCode {
    let codes = judged.map(\.comparison.exitCode)
    if codes.count < columns.count || codes.contains(.broke) { return .broke }
    if codes.contains(.worse) { return .worse }
    if codes.allSatisfy({ $0 == .incomparable }) { return .incomparable }
    return [.better, .notEnoughData].first(where: codes.contains) ?? .same
  }
}
