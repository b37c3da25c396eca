// The frame of the HTML reports: one file without anything from outside, light or dark as the reader's system is. Its
// only script sorts and searches its tables; everything is there without it.

/// A page of tables.
///
/// - Parameters:
///   - title: Its title.
///   - lead: What is above the search field.
///   - body: Its contents.
///   - files: Names of files beside it, which are its scripts instead of the one within it.
///   - style: What its style sheet has besides, a constant.
func htmlPage(
  title: String, lead: [Markup] = [], body: [Markup], files: [String] = [], style: String = ""
) -> String {
  let scripts: [Markup] =
    files.isEmpty
    ? ["<script>\(constant: ReportScript.text)</script>"] : files.map { "<script src=\"\($0)\"></script>" }
  let page: Markup = """
    \(htmlHead(title: title, style: stylesheet + style, script: files.isEmpty ? ReportScript.text : nil))
    <body>
    <h1>\(title)</h1>
    \(lead)
    <p class="search" hidden><input type="search" placeholder="Search the tables" aria-label="Search the tables">
    <output></output></p>
    \(body)
    \(scripts)
    </body>
    </html>

    """
  return page.text
}

/// A table that can be sorted and searched, with a class per row's emphasis; its first column stays where the others
/// are moved sideways.
func htmlTable(_ table: Table) -> Markup {
  func head(_ column: Table.Column) -> Markup {
    column.isNumber
      ? "<th class=\"number\" scope=\"col\">\(column.title)</th>" : "<th scope=\"col\">\(column.title)</th>"
  }
  func row(_ row: Table.Row) -> Markup {
    let cells = zip(table.columns, row.cells).enumerated().map { index, cell in
      htmlCell(
        cell.1, in: cell.0, value: index < row.values.count ? row.values[index] : nil,
        link: index < row.links.count ? row.links[index] : nil)
    }
    let style =
      switch row.emphasis {
      case .bad: "worse"
      case .good: "better"
      case .unsure: "unsure"
      case .none: ""
      }
    let notes = ([row.note] + row.details).filter { !$0.isEmpty }.map { "\($0)" as Markup }
    let note: Markup =
      notes.isEmpty
      ? "" : "\n<tr class=\"note\"><td colspan=\"\(table.columns.count)\">\(Markup(notes, between: "<br>"))</td></tr>"
    return "<tbody class=\"\(style)\"><tr>\(Markup(cells, between: ""))</tr>\(note)</tbody>"
  }
  return """
    <div class="wide"><table class="rows">
    <thead><tr>\(Markup(table.columns.map(head), between: ""))</tr></thead>
    \(table.rows.map(row))
    </table></div>
    """
}

/// A cell; its value is what it is sorted by, where its text has units.
private func htmlCell(_ text: String, in column: Table.Column, value: Double?, link: String?) -> Markup {
  let plain: Markup = column.isName && !text.isEmpty ? "<code>\(text)</code>" : "\(text)"
  let content: Markup = link.map { "<a href=\"\($0)\">\(plain)</a>" } ?? plain
  guard column.isNumber else { return "<td>\(content)</td>" }
  guard let value, value.isFinite else { return "<td class=\"number\">\(content)</td>" }
  return "<td class=\"number\" data-value=\"\("\(value)")\">\(content)</td>"
}

/// Rows that need no attention, folded away; a reason that rows share is said once, and has a mark in each of them.
func htmlFolded(_ title: String, _ table: Table) -> [Markup] {
  guard !table.rows.isEmpty else { return [] }
  var table = table
  var reasons = Footnotes()
  if table.rows.contains(where: { !$0.note.isEmpty }) {
    table.columns.append(Table.Column(title: "why"))
    for index in table.rows.indices {
      let reason = table.rows[index].note
      table.rows[index].cells.append(reason.isEmpty ? "" : reasons.mark(reason))
      table.rows[index].note = ""
    }
  }
  return ["<details><summary>\(title)</summary>", htmlTable(table)] + htmlFootnotes(reasons) + ["</details>"]
}

/// What marks stand for.
func htmlFootnotes(_ reasons: Footnotes) -> [Markup] { reasons.lines.map { "<p class=\"faint\">\($0)</p>" } }

/// Faults with what they printed.
func htmlFaults(_ faults: [BenchmarkFault]) -> [Markup] {
  faults.map { fault in
    let output: Markup = fault.output.isEmpty ? "" : "<pre>\(fault.output)</pre>"
    return "<section class=\"fault\"><h3>broke: \(faultSentence(fault))</h3>\(output)</section>"
  }
}

/// A picture with a caption.
func htmlFigure(_ svg: Markup, _ caption: String = "") -> Markup {
  caption.isEmpty ? "<figure>\(svg)</figure>" : "<figure>\(svg)<figcaption>\(caption)</figcaption></figure>"
}

private let stylesheet = """
  :root { color-scheme: light dark; --ground: #fff; --text: #1c2024; --faint: #60646c; --line: #d9dce1; --base: #7a7f87;
    --new: #1668c7; --worse: #c0271d; --better: #1b7f3b; --unsure: #9a6700; --panel: #f6f7f9; }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #16181c; --text: #e6e8eb; --faint: #9ba1a9; --line: #363a40; --base: #9ba1a9; --new: #6cb2ff;
      --worse: #ff7b72; --better: #56d364; --unsure: #e3b341; --panel: #1f2227; }
  }
  body { background: var(--ground); color: var(--text); font: 15px/1.45 system-ui, sans-serif; margin: 2em auto;
    max-width: 90em; padding: 0 1em; }
  h1 { font-size: 1.4em; } h2 { font-size: 1.15em; margin-top: 2em; } h3 { font-size: 1em; margin: 0 0 .3em; }
  .summary { font-size: 1.1em; } .faint, figcaption, .note td { color: var(--faint); font-size: .9em; }
  .wide { overflow-x: auto; } td code { white-space: nowrap; }
  .verdict { font-size: 1.6em; font-weight: 600; margin: .3em 0 0; } .verdict.worse { color: var(--worse); }
  .verdict.better { color: var(--better); } .verdict.unsure { color: var(--unsure); }
  .search input { font: inherit; min-width: 20em; padding: .2em .4em; }
  th button { background: none; border: 0; color: inherit; cursor: pointer; font: inherit; font-weight: bold; padding: 0; }
  th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
  th:first-child, tr:not(.note) > td:first-child { background: var(--ground); left: 0; position: sticky; z-index: 1; }
  table { border-collapse: separate; border-spacing: 0; } th, td { padding: .2em .6em; text-align: left; vertical-align: top; }
  th, td { border-bottom: 1px solid var(--line); } .note td { padding-left: 2em; }
  .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  tbody.worse tr:first-child td:last-child, .worse h3 { color: var(--worse); } tbody.better tr:first-child td:last-child, .better h3 { color: var(--better); }
  tbody.unsure tr:first-child td:last-child { color: var(--unsure); }
  section.panel, section.fault { background: var(--panel); border-left: 4px solid var(--line); margin: 1em 0;
    padding: .7em 1em; }
  section.worse, section.fault { border-color: var(--worse); } section.better { border-color: var(--better); }
  .plots { display: flex; flex-wrap: wrap; gap: 1em; } figure { flex: 1 1 20em; margin: 0; max-width: 30em; }
  pre { overflow-x: auto; } summary { cursor: pointer; margin: .5em 0; }
  svg { height: auto; width: 100%; } svg text { fill: var(--faint); font: 10px system-ui, sans-serif; }
  .end { text-anchor: end; } .middle { text-anchor: middle; } .grid { stroke: var(--line); }
  circle.base { fill: var(--base); } circle.new { fill: var(--new); } circle { fill-opacity: .8; }
  .area.base { fill: var(--base); } .area.new { fill: var(--new); } .area { fill-opacity: .3; }
  .median { stroke-width: 2; } .median.base, .interval.base { stroke: var(--base); }
  .median.new, .interval.new, .course.new { stroke: var(--new); } .course, .fit { fill: none; } .interval { stroke-width: 2; }
  .fit { stroke: var(--faint); stroke-dasharray: 4 3; } .change { stroke-dasharray: 3 2; stroke-width: 2; }
  .change.worse { stroke: var(--worse); } .change.better { stroke: var(--better); }
  .key { border-radius: 3px; display: inline-block; height: .7em; margin: 0 .3em 0 .8em; width: .7em; }
  .key.base { background: var(--base); } .key.new { background: var(--new); }
  """
