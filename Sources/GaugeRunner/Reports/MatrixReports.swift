// The report on several variants for a terminal, a pull request and a browser.

import GaugeStatistics

/// The longest list that is printed of rows that are the same in all variants.
private let fewRows = 10

/// The longest folded table: GitHub refuses comments of more than 65,536 characters.
private let foldedRows = 50

/// Characters of a variant's name above a column; below the table it stands in full.
private let titleWidth = 30

extension ComparisonMatrix {
  /// The matrix for a terminal: faults, tables of as many variants as fit beside each other, and last a line for each
  /// variant.
  ///
  /// - Parameter width: Characters of a line.
  /// - Returns: Lines, each ended by a line feed.
  func text(width: Int) -> String {
    var lines = wrapped(headline, indent: 0, width: width)
    lines += faultLines(faults, width: width)
    let rows = rows
    let same = rows.filter(\.isSame)
    let listed = same.count > fewRows ? rows.filter { !$0.isSame } : rows
    var footnotes = Footnotes()
    for places in listed.isEmpty ? [] : bands(listed, width: width) {
      lines.append("")
      lines += table(listed, places, &footnotes, titleWidth: titleWidth).text(width: width, colour: false)
    }
    lines.append("")
    for line in footnotes.lines { lines += wrapped(line, indent: 0, width: width) }
    if listed.count < rows.count {
      lines += wrapped("Rows not listed: \(same.count) that are the same in all variants.", indent: 0, width: width)
    }
    lines += wrapped(terms, indent: 0, width: width)
    for column in columns { lines += wrapped(summary(of: column), indent: 0, width: width) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Which variants stand in one table: as many as fit, one at least.
  private func bands(_ rows: [Row], width: Int) -> [Range<Int>] {
    var unused = Footnotes()
    let whole = table(rows, 0..<judged.count, &unused, titleWidth: titleWidth)
    let widths = whole.columns.indices.map { column in
      max(whole.columns[column].title.count, whole.rows.map { $0.cells[column].count }.max() ?? 0)
    }
    // Names of benchmarks may be cut to this.
    let first = min(widths[0], 32) + 2 + widths[1]
    var bands: [Range<Int>] = []
    var (start, used) = (0, first)
    for place in 0..<judged.count {
      let more = widths[place + 2] + 2
      if place > start, used + more > width {
        bands.append(start..<place)
        (start, used) = (place, first)
      }
      used += more
    }
    return bands + [start..<judged.count]
  }

  /// The matrix as GitHub's Markdown: a line for each variant, faults and rows in which something differs in sight,
  /// those that are the same in all variants folded away, up to 50 of them.
  ///
  /// - Returns: A document that ends with a line feed.
  var markdown: String {
    var lines: [Markdown] = ["### Benchmarks: \(columns.count) variants", "", "\(headline)", ""]
    lines += columns.map { "- \(summary(of: $0))" } + [""]
    lines += faultsMarkdown(faults)
    var footnotes = Footnotes()
    let rows = rows
    let (same, others) = (rows.filter(\.isSame), rows.filter { !$0.isSame })
    if !others.isEmpty { lines += table(others, 0..<judged.count, &footnotes).markdown + [""] }
    if !same.isEmpty {
      lines += ["<details><summary>\(same.count) the same in all variants</summary>", ""]
      lines += table(Array(same.prefix(foldedRows)), 0..<judged.count, &footnotes).markdown
      if same.count > foldedRows { lines += ["", "... and \(same.count - foldedRows) more."] }
      lines += ["", "</details>", ""]
    }
    for line in footnotes.lines { lines += ["\(line)", ""] }
    lines.append("\(prose: terms)\n")
    return Markdown(lines).text
  }

  /// The matrix as a self-contained HTML page.
  ///
  /// - Parameters:
  ///   - title: Title of the page.
  ///   - runs: The launches of the base and of each variant, for what they say of their machine and build.
  func html(title: String, runs: [(name: String, results: Results)]) -> String {
    let lead: [Markup] =
      ["<p class=\"summary\">\(headline)</p>"] + columns.map { "<p class=\"summary\">\(summary(of: $0))</p>" }
    var footnotes = Footnotes()
    let rows = rows
    let (same, others) = (rows.filter(\.isSame), rows.filter { !$0.isSame })
    var body: [Markup] = []
    if !others.isEmpty {
      body += ["<h2>Changed or undecided</h2>", htmlTable(table(others, 0..<judged.count, &footnotes))]
    }
    body += htmlFolded("\(same.count) the same in all variants", table(same, 0..<judged.count, &footnotes))
    body += htmlFootnotes(footnotes)
    body += ["<p class=\"faint\">\(terms)</p>"] + environmentHTML(runs)
    return htmlPage(title: title, lead: lead + htmlFaults(faults), body: body)
  }
}
