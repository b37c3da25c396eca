// The regression report for a pull request.

import GaugeStatistics

/// The longest folded table: GitHub refuses comments of more than 65,536 characters.
private let foldedRows = 50

/// A comparison as GitHub's Markdown: the summary, faults and changes in sight, the other rows folded away, up to 50 of
/// each kind.
///
/// - Returns: A document that ends with a line feed.
public func comparisonMarkdown(_ comparison: Comparison) -> String {
  var lines: [Markdown] = ["### Benchmarks: \(comparison.summary)", ""]
  if let sentence = comparison.variedSentence { lines += ["\(sentence)", ""] }
  lines += faultsMarkdown(comparison.faults)
  let changed = comparison.changeTable()
  if !changed.rows.isEmpty { lines += changed.markdown + [""] }
  let folded: [(title: String, rows: [ComparisonEntry])] = [
    ("not enough data", comparison.ranked(.notEnoughData)), ("same", comparison.ranked(.same)),
    ("not judged", comparison.shown), ("not compared", comparison.entries.filter { $0.judgement == .refused }),
  ]
  for (title, rows) in folded where !rows.isEmpty {
    lines += ["<details><summary>\(rows.count) \(title)</summary>", ""]
    lines += comparison.table(Array(rows.prefix(foldedRows))).markdown
    if rows.count > foldedRows { lines += ["", "... and \(rows.count - foldedRows) more."] }
    lines += ["", "</details>", ""]
  }
  lines += comparison.unmatched.map { "\($0)\n" }
  lines.append("\(prose: comparison.terms)\n")
  return Markdown(lines).text
}

/// Faults as a list with their output, or nothing.
func faultsMarkdown(_ faults: [BenchmarkFault]) -> [Markdown] {
  var lines: [Markdown] = []
  for fault in faults {
    lines.append("- **broke**: \(faultSentence(fault))")
    guard !fault.output.isEmpty else { continue }
    lines += ["", "  ```text"]
    lines += legibleLines(fault.output).map { "  \(line: $0)" }
    lines.append("  ```")
  }
  return lines.isEmpty ? [] : lines + [""]
}
