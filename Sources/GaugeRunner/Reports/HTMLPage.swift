// The frame of the HTML reports: one file without scripts and without anything from outside, light or dark as the reader's
// system is.

/// The beginning of a page, up to its body: nothing is fetched, not even an icon.
///
/// - Parameters:
///   - title: Its title, not escaped.
///   - style: Its style sheet.
func htmlHead(title: String, style: String) -> String {
  """
  <!DOCTYPE html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="icon" href="data:,">
  <title>\(markupText(title))</title>
  <style>
  \(style)
  </style>
  </head>
  """
}

/// A page.
///
/// - Parameters:
///   - title: Its title, not escaped.
///   - body: Its contents as HTML.
func htmlPage(title: String, body: [String]) -> String {
  """
  \(htmlHead(title: title, style: stylesheet))
  <body>
  <h1>\(markupText(title))</h1>
  \(body.joined(separator: "\n"))
  </body>
  </html>

  """
}

/// A table with a class per row's emphasis.
func htmlTable(_ table: Table) -> String {
  func cell(_ column: Table.Column, _ text: String) -> String {
    let content = column.isName && !text.isEmpty ? "<code>\(markupText(text))</code>" : markupText(text)
    return "<td\(column.isNumber ? " class=\"number\"" : "")>\(content)</td>"
  }
  let head = table.columns.map { "<th\($0.isNumber ? " class=\"number\"" : "")>\(markupText($0.title))</th>" }
  let rows = table.rows.map { row in
    let style =
      switch row.emphasis {
      case .bad: " class=\"worse\""
      case .good: " class=\"better\""
      case .unsure: " class=\"unsure\""
      case .none: ""
      }
    let notes = ([row.note] + row.details).filter { !$0.isEmpty }.map(markupText).joined(separator: "<br>")
    let note =
      notes.isEmpty ? "" : "\n<tr class=\"note\"><td colspan=\"\(table.columns.count)\">\(notes)</td></tr>"
    return "<tr\(style)>\(zip(table.columns, row.cells).map(cell).joined())</tr>\(note)"
  }
  return "<div class=\"wide\"><table>\n<thead><tr>\(head.joined())</tr></thead>\n<tbody>\n"
    + rows.joined(separator: "\n") + "\n</tbody></table></div>"
}

/// Faults with what they printed.
func htmlFaults(_ faults: [BenchmarkFault]) -> [String] {
  faults.map { fault in
    "<section class=\"fault\"><h3>broke: \(markupText(faultSentence(fault)))</h3>"
      + (fault.output.isEmpty ? "" : "<pre>\(markupText(fault.output))</pre>") + "</section>"
  }
}

/// A picture with a caption.
func htmlFigure(_ svg: String, _ caption: String = "") -> String {
  "<figure>\(svg)\(caption.isEmpty ? "" : "<figcaption>\(markupText(caption))</figcaption>")</figure>"
}

private let stylesheet = """
  :root { color-scheme: light dark; --ground: #fff; --text: #1c2024; --faint: #60646c; --line: #d9dce1; --base: #7a7f87;
    --new: #1668c7; --worse: #c0271d; --better: #1b7f3b; --unsure: #9a6700; --panel: #f6f7f9; }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #16181c; --text: #e6e8eb; --faint: #9ba1a9; --line: #363a40; --base: #9ba1a9; --new: #6cb2ff;
      --worse: #ff7b72; --better: #56d364; --unsure: #e3b341; --panel: #1f2227; }
  }
  body { background: var(--ground); color: var(--text); font: 15px/1.45 system-ui, sans-serif; margin: 2em auto;
    max-width: 70em; padding: 0 1em; }
  h1 { font-size: 1.4em; } h2 { font-size: 1.15em; margin-top: 2em; } h3 { font-size: 1em; margin: 0 0 .3em; }
  .summary { font-size: 1.1em; } .faint, figcaption, .note td { color: var(--faint); font-size: .9em; }
  .wide { overflow-x: auto; } td code { white-space: nowrap; }
  table { border-collapse: collapse; width: 100%; } th, td { padding: .2em .6em; text-align: left; vertical-align: top; }
  th, td { border-bottom: 1px solid var(--line); } .note td { padding-left: 2em; }
  .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  tr.worse td:last-child, .worse h3 { color: var(--worse); } tr.better td:last-child, .better h3 { color: var(--better); }
  tr.unsure td:last-child { color: var(--unsure); }
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
