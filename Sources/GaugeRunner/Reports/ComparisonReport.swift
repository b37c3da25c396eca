// What a comparison's reports have in common: the order of rows, the columns, the summary line.

import GaugeStatistics

extension Comparison {
  /// Rows that got a verdict, the gravest and largest change first.
  func ranked(_ verdict: Verdict) -> [ComparisonEntry] {
    entries.filter { $0.verdict == verdict }.sorted {
      ($1.change?.magnitude ?? 0, $0.key) < ($0.change?.magnitude ?? 0, $1.key)
    }
  }

  /// Rows without a verdict because none is sought.
  var shown: [ComparisonEntry] { entries.filter { $0.judgement == .shown } }

  /// A table of some rows.
  ///
  /// - Parameter drawsLaunches: Whether a column draws the launches of both sides on one scale.
  func table(_ entries: [ComparisonEntry], drawsLaunches: Bool = false) -> Table {
    var table = table(of: entries)
    guard drawsLaunches else { return table }
    let place = table.columns.count - 1
    table.columns.insert(Table.Column(title: "launches", minimum: 0), at: place)
    for index in table.rows.indices { table.rows[index].cells.insert(entries[index].course, at: place) }
    return table
  }

  /// What changed as a table: a line for each cause, and the benchmark's name on the first of its lines.
  ///
  /// - Parameters:
  ///   - drawsLaunches: Whether a column draws the launches of both sides on one scale.
  ///   - namesAll: Whether the benchmark's name is on all of its lines, as where they may be sorted.
  func changeTable(drawsLaunches: Bool = false, namesAll: Bool = false) -> Table {
    let causes = Array(changes.joined())
    var table = table(causes.map(\.entry), drawsLaunches: drawsLaunches)
    for (index, cause) in causes.enumerated() {
      if !namesAll, index > 0, cause.entry.key.title == causes[index - 1].entry.key.title {
        table.rows[index].cells[0] = ""
      }
      table.rows[index].cells[1] = cause.metrics
    }
    return table
  }

  private func table(of entries: [ComparisonEntry]) -> Table {
    // What explains one metric of a benchmark explains all of them, and is said once.
    var unexplained = explanations
    return Table(
      columns: [
        Table.Column(title: "benchmark", minimum: 12, isName: true), Table.Column(title: "metric", minimum: 8),
        Table.Column(title: "before", isNumber: true), Table.Column(title: "after", isNumber: true),
        Table.Column(title: "change", isNumber: true, minimum: 9), Table.Column(title: "verdict"),
      ],
      rows: entries.map { entry in
        Table.Row(
          cells: [
            entry.key.title, entry.key.metric,
            entry.text(entry.before), entry.text(entry.after),
            entry.change.map { changeText($0, of: entry.metric) } ?? "", entry.word,
          ], values: [nil, nil, entry.before?.value, entry.after?.value, entry.change.map { $0.sorted }, nil],
          note: entry.reason,
          details: entry.verdict == .worse ? unexplained.removeValue(forKey: entry.key.title)?.lines ?? [] : [],
          emphasis: Self.emphasis(entry))
      })
  }

  private static func emphasis(_ entry: ComparisonEntry) -> Table.Emphasis {
    switch entry.judgement {
    case .judged(.worse): .bad
    case .judged(.better): .good
    case .judged(.notEnoughData): .unsure
    case .judged(.same), .shown, .refused: .none
    }
  }

  /// The comparison in one line: `2 worse, 1 better, 40 same, 3 not enough data; 12 times not compared (...)`.
  var summary: String {
    let counts =
      "\(count(.worse)) worse, \(count(.better)) better, \(count(.same)) same, "
      + "\(count(.notEnoughData)) not enough data"
    let broken = faults.isEmpty ? [] : ["\(faults.count) broke"]
    let unmatched = [("baseline", onlyInBase.count), ("new run", onlyInNew.count)].compactMap { side, count in
      count == 0 ? nil : "\(count) \(count == 1 ? "row" : "rows") only in the \(side)"
    }
    return (incompleteSides + broken + [counts] + unmatched + refusals).joined(separator: "; ")
  }

  /// What the new side has otherwise, in one sentence; `nil` where that is its sources.
  var variedSentence: String? { varied.map { "The new side has otherwise: \($0)" } }

  /// What the verdicts are held against, in one paragraph.
  var terms: String { (ownTerms ?? thresholdsAndRuns) + widthsOfSame }

  /// What the verdicts of `gauge compare` are held against.
  private var thresholdsAndRuns: String {
    func percent(_ share: Double) -> String { "\(allDigits(share * 100)) %" }
    let runs =
      knownRuns.map { runs in
        " Times are held against what \(runs) earlier runs of one build differ by"
          + (runs < RunScatter.neededRuns
            ? ", and by wide bars, as \(RunScatter.neededRuns) are needed: each 'gauge run' of a build adds one." : ".")
      } ?? ""
    return
      "Thresholds: times \(percent(options.timeThreshold)), latencies from p99 on \(percent(options.tailThreshold)), "
      + "counts that vary \(percent(options.countThreshold)), exact counts 0"
      + (options.thresholds.isEmpty ? "" : ", and \(options.thresholds.count) of the project's own") + "." + runs
  }

  /// How much the verdict `same` of the times leaves open, in one sentence; empty where no time has it.
  private var widthsOfSame: String {
    let widths = entries.compactMap(\.sameWithin).sorted()
    guard let widest = widths.last else { return "" }
    let (half, all) = (digits(100 * widths[(widths.count - 1) / 2]), digits(100 * widest))
    return half == all
      ? " Measured times that are the same are so within \(all) %."
      : " Of the measured times that are the same, half are so within \(half) %, all within \(all) %."
  }

  /// What only one side has, as sentences: benchmarks, and the metrics of a benchmark that both have.
  var unmatched: [String] {
    let common = Set(entries.map(\.key.title))
    return [("baseline", onlyInBase), ("new run", onlyInNew)].compactMap { side, keys in
      guard !keys.isEmpty else { return nil }
      let names = Set(keys.map { common.contains($0.title) ? "\($0.title) \($0.metric)" : $0.title }).sorted()
      let more = names.count > 5 ? " and \(names.count - 5) more" : ""
      return "Only in the \(side): \(names.prefix(5).joined(separator: ", "))\(more)."
    }
  }
}

extension Change {
  /// What rows are sorted by: the share by which it changed, or the difference.
  fileprivate var sorted: Double { scale == .ratio ? estimate.value - 1 : estimate.value }
}

extension ComparisonEntry {
  /// The launches of both sides as blocks on one scale, a bar between the sides; empty where nothing varies.
  var course: String {
    let all = launches.flatMap { $0 }
    guard let low = all.min(), let high = all.max(), low < high else { return "" }
    return launches.map { sparkline($0, width: 8, range: low...high) }.joined(separator: "│")
  }

  /// A side's value as people read it.
  func text(_ side: Estimate?) -> String {
    side.map { quantity($0.value, of: metric) } ?? (verdict == .same ? "–" : "unavailable")
  }

  /// What became of the entry, in a word or three.
  var word: String {
    switch judgement {
    case .judged(.worse): "worse"
    case .judged(.better): "better"
    case .judged(.same): "same"
    case .judged(.notEnoughData): "not enough data"
    case .shown: "not judged"
    case .refused: "not compared"
    }
  }
}
