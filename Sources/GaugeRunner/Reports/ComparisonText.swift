// The regression report for a terminal.

import GaugeStatistics

/// The longest list that is printed of rows that need no attention.
private let fewRows = 10

/// A comparison as text: faults, then what changed, then what was left out, and the summary as last line.
///
/// Everything that got worse or better is listed by benchmark, the worst first: its time, then what explains it. Of
/// rows with not enough data the largest changes are listed, of rows that are the same or not judged only their number,
/// unless there are few. Where there is colour, which is on a terminal, the launches of both sides are drawn.
///
/// - Parameters:
///   - comparison: What to report.
///   - colour: Whether to use ANSI colours.
///   - width: Characters of a line.
/// - Returns: Lines, each ended by a line feed.
public func comparisonText(_ comparison: Comparison, colour: Bool, width: Int) -> String {
  var lines = comparison.variedSentence.map { wrapped($0, indent: 0, width: width) + [""] } ?? []
  lines += faultLines(comparison.faults, width: width)
  let changed = comparison.changeTable(drawsLaunches: colour)
  if !changed.rows.isEmpty {
    if !lines.isEmpty, lines.last != "" { lines.append("") }
    lines += changed.text(width: width, colour: colour) + [""]
  }
  var listed: [ComparisonEntry] = []
  var omitted: [String] = []
  let undecided = comparison.ranked(.notEnoughData)
  listed += undecided.prefix(fewRows)
  if undecided.count > fewRows { omitted.append("\(undecided.count - fewRows) more with not enough data") }
  let same = comparison.ranked(.same)
  if same.count <= fewRows { listed += same } else { omitted.append("\(same.count) that are the same") }
  let shown = comparison.shown
  if shown.count <= fewRows { listed += shown } else { omitted.append("\(shown.count) that are not judged") }
  if !listed.isEmpty {
    if !lines.isEmpty, lines.last != "" { lines.append("") }
    lines += comparison.table(listed, drawsLaunches: colour).text(width: width, colour: colour)
    lines.append("")
  }
  if !omitted.isEmpty {
    lines += wrapped("Rows not listed: \(omitted.joined(separator: ", ")).", indent: 0, width: width)
  }
  for sentence in comparison.unmatched { lines += wrapped(sentence, indent: 0, width: width) }
  lines += wrapped(comparison.terms, indent: 0, width: width)
  lines += wrapped(comparison.summary, indent: 0, width: width)
  return lines.map { $0 + "\n" }.joined()
}

/// Faults with what they printed, as lines of a terminal.
func faultLines(_ faults: [BenchmarkFault], width: Int) -> [String] {
  faults.flatMap { fault in
    wrapped("broke: \(faultSentence(fault))", indent: 0, width: width)
      + legibleLines(fault.output).map { Table.cut("    \($0)", to: width, inMiddle: false) }
  }
}

/// A fault without its output, in one line.
func faultSentence(_ fault: BenchmarkFault) -> String {
  let key = ResultRow.Key(benchmark: fault.benchmark, parameters: fault.parameters, metric: "")
  return "\(key.title): \(fault.reason)"
}
