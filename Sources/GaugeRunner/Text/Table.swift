// One table, two renderers: aligned columns for a terminal, and GitHub's Markdown.

/// Rows of cells under titled columns, independent of where they are shown.
struct Table {
  /// A column.
  struct Column {
    /// Its title.
    var title: String
    /// Whether cells are aligned at their right end, as numbers are.
    var isNumber = false
    /// The width down to which cells may be cut where space is short; `nil` for never.
    var minimum: Int?
    /// Whether cells are names, set in code type in Markdown and cut in the middle.
    var isName = false
  }

  /// How the last cell of a row stands out.
  enum Emphasis: String, CaseIterable {
    case none = ""
    case bad = "\u{1b}[31m"
    case good = "\u{1b}[32m"
    case unsure = "\u{1b}[33m"

    /// Ends any emphasis.
    static let end = "\u{1b}[0m"
  }

  /// A row.
  struct Row {
    /// One text per column.
    var cells: [String]
    /// What cells are sorted by where their texts don't say it; empty for none.
    var values: [Double?] = []
    /// Where cells lead to on a page; empty for nowhere.
    var links: [String?] = []
    /// What is said below the row on a terminal, and in a last column in Markdown; empty for nothing.
    var note = ""
    /// What is said below the note, each on lines of its own.
    var details: [String] = []
    /// How the last cell stands out where there is colour.
    var emphasis = Emphasis.none
  }

  /// The columns, from left to right.
  var columns: [Column]
  /// The rows, from top to bottom.
  var rows: [Row] = []

  /// The table as lines of at most `width` characters.
  ///
  /// - Parameters:
  ///   - width: Characters of the terminal's line.
  ///   - colour: Whether ANSI colours are used.
  func text(width: Int, colour: Bool) -> [String] {
    let gap = 2
    let titles = columns.map { legible($0.title) }
    let rows = rows.map { row in
      var row = row
      row.cells = row.cells.map(legible)
      return row
    }
    var widths = columns.indices.map { column in
      max(titles[column].count, rows.map { $0.cells[column].count }.max() ?? 0)
    }
    while widths.reduce(gap * (columns.count - 1), +) > width {
      let cuttable = columns.indices.filter { widths[$0] > columns[$0].minimum ?? .max }
      guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    func line(_ cells: [String], _ emphasis: Emphasis) -> String {
      var line = ""
      for (index, column) in columns.enumerated() {
        let isLast = index == columns.count - 1
        let cell = Self.cut(cells[index], to: widths[index], inMiddle: column.isName)
        let padding = String(repeating: " ", count: widths[index] - cell.count)
        line += column.isNumber ? padding + cell : isLast ? cell : cell + padding
        if !isLast { line += String(repeating: " ", count: gap) }
      }
      let cut = Self.cut(line, to: width, inMiddle: false)
      guard colour, emphasis != .none, cut == line, let last = cells.last, line.hasSuffix(last) else { return cut }
      return line.dropLast(last.count) + emphasis.rawValue + last + Emphasis.end
    }
    return [line(titles, .none)]
      + rows.flatMap { row in
        [line(row.cells, row.emphasis)] + (row.note.isEmpty ? [] : wrapped(row.note, indent: 4, width: width))
          + row.details.flatMap { wrapped($0, indent: 4, width: width) }
      }
  }

  /// The table as lines of GitHub's Markdown.
  var markdown: [Markdown] {
    let hasNotes = rows.contains { !$0.note.isEmpty || !$0.details.isEmpty }
    func line(_ cells: [Markdown]) -> Markdown { "| \(Markdown(cells.map(\.cell), between: " | ")) |" }
    let titles = columns.map { "\($0.title)" as Markdown } + (hasNotes ? ["note"] : [])
    let rules: [Markdown] = columns.map { $0.isNumber ? "---:" : "---" } + (hasNotes ? ["---"] : [])
    return [line(titles), line(rules)]
      + rows.map { row in
        let cells = zip(columns, row.cells).map { column, cell -> Markdown in
          column.isName ? "\(code: cell)" : "\(cell)"
        }
        let notes = ([row.note] + row.details).filter { !$0.isEmpty }.map { "\($0)" as Markdown }
        return line(cells + (hasNotes ? [Markdown(notes, between: "<br>")] : []))
      }
  }

  /// A text of at most `width` characters, with an ellipsis for what is left out.
  static func cut(_ text: String, to width: Int, inMiddle: Bool) -> String {
    guard text.count > width else { return text }
    guard width > 1 else { return String(text.prefix(max(0, width))) }
    let tail = inMiddle ? (width - 1) / 2 : 0
    return text.prefix(width - 1 - tail) + "…" + text.suffix(tail)
  }
}

/// A text broken at spaces into lines of at most `width` characters; words that are longer are cut.
func wrapped(_ text: String, indent: Int, width: Int) -> [String] {
  let space = String(repeating: " ", count: indent)
  var lines: [String] = []
  for word in legible(text).split(separator: " ") {
    if let line = lines.last, line.count + 1 + word.count <= width {
      lines[lines.count - 1] = line + " " + word
    } else {
      lines.append(Table.cut(space + word, to: width, inMiddle: false))
    }
  }
  return lines.map(inert)
}

/// A text with spaces behind it up to a width.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// Reasons that stand once below a table, and in its cells as their marks.
struct Footnotes {
  private var numbers: [String: Int] = [:]
  private var list: [String] = []

  /// The mark of a reason: `[1]` for the first one.
  mutating func mark(_ reason: String) -> String {
    if let number = numbers[reason] { return "[\(number)]" }
    list.append(reason)
    numbers[reason] = list.count
    return "[\(list.count)]"
  }

  /// What stands below the table.
  var lines: [String] { list.enumerated().map { "[\($0 + 1)] \($1)" } }
}
