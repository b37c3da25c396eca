// One run as a table for a terminal: the columns that fit, each in one unit where its values allow that.

import Foundation
import Gauge
import GaugeStatistics

/// A run as text: a table per family of benchmarks, why some cells have no value, and what was measured where.
///
/// No line is longer than the width. A family has the most important of its columns, as many as there is room for; the
/// others are named below. A benchmark whose name takes more room than is left stands on a line of its own, its numbers
/// on the next one.
///
/// - Parameters:
///   - results: The run.
///   - colour: Whether to use ANSI colours.
///   - width: Characters of a line.
/// - Returns: Lines, each ended by a line feed.
public func resultsText(_ results: Results, colour: Bool, width: Int) -> String {
  let families = ResultsTable(results).families.map(\.legible)
  guard !families.isEmpty else { return "No measurements.\n" }
  var reasons = Footnotes()
  let layout = Layout(families, width: width, &reasons)
  var lines = layout.families.flatMap { layout.lines(of: $0, colour: colour) + [""] }
  var notes = ["Medians over launches" + (layout.showsSpread ? "; ± is half of their 95 % interval." : ".")]
  notes += results.incompleteness.map { ["Incomplete: \($0)."] } ?? []
  notes += reasons.lines
  if !layout.omitted.isEmpty {
    notes.append(
      "Not shown: \(layout.omitted.joined(separator: ", ")). A wider terminal shows more, 'gauge report --format html' "
        + "all.")
  }
  notes += origin(of: results)
  lines += notes.flatMap { wrapped($0, indent: 0, width: width) }
  return lines.map { $0 + "\n" }.joined()
}

extension ResultsTable.Family {
  /// The family with legible names.
  fileprivate var legible: Self {
    var family = self
    family.name = GaugeRunner.legible(name)
    for index in columns.indices { family.columns[index].shortTitle = GaugeRunner.legible(columns[index].shortTitle) }
    for index in rows.indices {
      family.rows[index].benchmark = GaugeRunner.legible(rows[index].benchmark)
      family.rows[index].parameters = GaugeRunner.legible(rows[index].parameters)
    }
    return family
  }
}

/// What was measured on what, in a sentence; nothing where the file doesn't say.
private func origin(of results: Results) -> [String] {
  func known(_ name: String) -> String? {
    results.environment(name).flatMap { $0.hasPrefix(ResultFormat.unavailablePrefix) ? nil : $0 }
  }
  let toolchain = known("toolchain").map { $0.prefix { $0 != "(" }.trimmingCharacters(in: [" "]) }
  let machine = [known("cpu_model"), known("kernel"), toolchain].compactMap { $0 }
  let changed = results.environment("dirty") == "yes" ? " with changes" : ""
  let commit = known("commit").map { ["commit \($0.prefix(12))\(changed)"] } ?? []
  let parts = [machine.joined(separator: ", ")].filter { !$0.isEmpty } + commit
  return parts.isEmpty ? [] : [parts.joined(separator: "; ") + "."]
}

/// The tables of a run set for a width.
private struct Layout {
  /// A column with its texts.
  struct Column {
    var title: String
    var cells: [String]
    var holdsSpread: Bool
    /// Characters of the longest text.
    let width: Int

    init(title: String, cells: [String], holdsSpread: Bool) {
      self.title = title
      self.cells = cells
      self.holdsSpread = holdsSpread
      width = max(title.count, cells.map(\.count).max() ?? 0)
    }
  }

  /// A family with the columns that fit.
  struct Family {
    var table: ResultsTable.Family
    var columns: [Column]

    /// Characters of all columns, each with the space before it.
    var used: Int { columns.reduce(0) { $0 + Layout.gap + $1.width } }
  }

  /// Spaces between columns.
  fileprivate static let gap = 2
  /// Spaces before a name, and once more before the parameters of a benchmark that is named above them.
  private static let indent = 2

  /// What stands for what was not asked for.
  private static let nothing = "–"

  private(set) var families: [Family] = []
  /// Titles of columns that have no room, and how many metrics have no column.
  private(set) var omitted: [String] = []
  /// Characters of a name, where the family's columns leave as many.
  private var nameWidth = 0
  private let width: Int

  /// Whether any family has the column of the spread.
  var showsSpread: Bool { families.contains { $0.columns.contains(where: \.holdsSpread) } }

  init(_ tables: [ResultsTable.Family], width: Int, _ reasons: inout Footnotes) {
    self.width = width
    let longest = tables.map { table in
      max(table.name.count, table.rows.map { Self.indent + Self.name($0, in: table).count }.max() ?? 0)
    }
    var known: Set<String> = []
    for (table, longest) in zip(tables, longest) {
      var family = Family(table: table, columns: [])
      for (index, column) in table.columns.enumerated() {
        var tried = reasons
        let set = Self.column(column, table.rows.map { $0.cells[index] }, &tried)
        if set.holdsSpread, set.cells.allSatisfy({ $0 == Self.nothing }) { continue }
        // What a reader looks for first may take room from the names, down to what tells them apart.
        let room = width - (index < table.leading ? min(longest, max(14, width * 3 / 10)) : longest)
        if family.used + Self.gap + set.width > room, !family.columns.isEmpty {
          for left in table.columns[index...] where known.insert(left.title).inserted { omitted.append(left.title) }
          break
        }
        reasons = tried
        family.columns.append(set)
      }
      families.append(family)
      if table.omitted > 0 { omitted.append("\(table.omitted) metrics of \(table.name)") }
    }
    nameWidth = zip(families, longest).map { min($1, width - $0.used) }.max() ?? 0
  }

  /// A column in one unit where its values allow that, else each in its own.
  private static func column(
    _ column: ResultsTable.Column, _ cells: [ResultsTable.Cell], _ reasons: inout Footnotes
  ) -> Column {
    var values: [Double] = []
    for case .value(let estimate, _) in cells { values.append(estimate.value) }
    var title = column.shortTitle
    var unit: ScaledUnit?
    if case .values(let metric) = column.content {
      unit = commonUnit(for: values, of: metric)
      if let name = unit?.name, !name.isEmpty, !title.contains("/") { title += " [\(name)]" }
    }
    let texts = cells.map { text($0, in: column, unit, &reasons) }
    return Column(title: title, cells: texts, holdsSpread: column.content == .spread)
  }

  private static func text(
    _ cell: ResultsTable.Cell, in column: ResultsTable.Column, _ unit: ScaledUnit?,
    _ reasons: inout Footnotes
  ) -> String {
    switch (cell, column.content) {
    case (.value(let estimate, let launches), .spread): return spread(of: estimate, launches)
    case (.value(let estimate, _), .values(let metric)):
      guard metric.kind == .exact else {
        return unit.map { digits(estimate.value / $0.size) } ?? quantity(estimate.value, of: metric)
      }
      let (low, high) = (estimate.interval.lower, estimate.interval.upper)
      return low < high ? "\(shortCount(low))–\(shortCount(high))" : shortCount(estimate.value)
    case (.unavailable, .spread): return nothing
    case (.unavailable(let reason), _): return reasons.mark("unavailable: \(reason)")
    case (.distance(let ratio, _), _): return "×" + digits(ratio)
    case (.none, _), (.value, .distance): return nothing
    }
  }

  /// Half of an interval, in per cent of the value; one launch has none.
  private static func spread(of estimate: Estimate, _ launches: Int) -> String {
    let half = (estimate.interval.upper - estimate.interval.lower) / 2
    guard launches > 1, estimate.value > 0, half.isFinite else { return nothing }
    let percent = half / estimate.value * 100
    if percent >= 999.5 { return ">999 %" }
    return String(format: percent < 9.95 ? "%.1f %%" : "%.0f %%", percent)
  }

  /// What a family's name and title leave of a benchmark's.
  private static func name(_ row: ResultsTable.Row, in family: ResultsTable.Family) -> String {
    row.title.hasPrefix(family.name + "/") ? String(row.title.dropFirst(family.name.count + 1)) : row.title
  }

  /// The lines of a family.
  func lines(of family: Family, colour: Bool) -> [String] {
    let nameWidth = max(0, min(nameWidth, width - family.used))
    // Nothing beyond the line's end is seen of a cell.
    let widths = family.columns.map { min($0.width, width) }
    func line(_ name: String, _ cells: [String]) -> String {
      var line = padded(name, to: nameWidth)
      for (columnWidth, cell) in zip(widths, cells) {
        line += String(repeating: " ", count: max(0, Self.gap + columnWidth - cell.count)) + cell
      }
      return Table.cut(line, to: width, inMiddle: false)
    }
    let head = line(Table.cut(family.table.name, to: nameWidth, inMiddle: true), family.columns.map(\.title))
    var lines = [colour ? "\u{1b}[1m\(head)\u{1b}[0m" : head]
    let names = family.table.rows.map { Self.space + Self.name($0, in: family.table) }
    // Where the points of a grid have no room for its name, they share a line with it above them.
    let wide = Set(
      zip(family.table.rows, names).filter { !$0.parameters.isEmpty && $1.count > nameWidth }.map(\.0.benchmark))
    var above: String?
    for (index, row) in family.table.rows.enumerated() {
      var name = names[index]
      if wide.contains(row.benchmark), !row.parameters.isEmpty {
        if above != row.benchmark {
          lines.append(Table.cut(String(name.dropLast(row.parameters.count + 2)), to: width, inMiddle: true))
        }
        above = row.benchmark
        name = Self.space + Self.space + row.parameters
      }
      let cells = family.columns.map { $0.cells[index] }
      if name.count <= nameWidth {
        lines.append(line(name, cells))
      } else {
        lines += [Table.cut(name, to: width, inMiddle: true), line("", cells)]
      }
    }
    return lines
  }

  private static let space = String(repeating: " ", count: indent)
}
