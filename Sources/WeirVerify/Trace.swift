// The schedule that broke a program as a table: a column for each thread, and time goes down.

extension LogLine {
  /// The line as a child process gives it to its parent; `nil` if no other thread can notice what it tells.
  var ofTable: String? {
    guard let thread, isShared else { return nil }
    return [thread, text.oneLine, place?.fileAndLine ?? ""].joined(separator: "\t")
  }
}

/// A table of what threads do, one after the other: what a thread does before another one has the turn shares a line as
/// far as the column is wide. Behind each step is its place in the sources.
package struct Trace {
  package private(set) var lines: [String] = []

  /// How wide all columns are together.
  private static let width = 116

  /// - Parameters:
  ///   - steps: As `LogLine.ofTable` gives them.
  ///   - crash: What ended it, if it was not the last step.
  package init(_ steps: [String], _ crash: String?) {
    let steps = steps.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }.filter { $0.count == 3 }
    var threads: [Substring] = []
    for step in steps where !threads.contains(step[0]) { threads.append(step[0]) }
    let files = Set(steps.map { $0[2].prefix { $0 != ":" } }).filter { !$0.isEmpty }
    let column = Self.width / max(threads.count, 2) - 2
    var rows: [(thread: Substring, text: String)] = []
    for step in steps {
      let place = files.count == 1 ? step[2].drop { $0 != ":" } : step[2]
      let text = "\(step[1])" + (place.isEmpty ? "" : " " + place)
      if let last = rows.last, last.thread == step[0], last.text.count + text.count + 2 <= column {
        rows[rows.count - 1].text += "; " + text
      } else {
        rows.append((step[0], text))
      }
    }
    let heads = threads.map(String.init) + (files.count == 1 ? ["(\(files.first!))"] : [])
    lines = [heads.dropLast().map { pad($0, column + 2) }.joined() + (heads.last ?? "")]
    lines += rows.map { row in
      String(repeating: " ", count: threads.firstIndex(of: row.thread)! * (column + 2)) + row.text
    }
    // A program without end need not be read to its end.
    if lines.count > 200 { lines = lines.prefix(10) + ["..."] + lines.suffix(3) }
    if let crash { lines.append("*** \(crash)") }
  }
}
