// What a suite measured over many commits: an append-only file with one line per row of each run.

import Foundation
import Gauge
import GaugeStatistics

/// The history of a suite.
///
/// The file has a comment line per environment field of a run, `# RUN name: value`, and a record per benchmark and
/// metric with the median over launches, its interval, and how the launches are distributed. It grows by one write per
/// run; only a run of an older commit than the last one has it written anew, as it belongs among the others.
struct History {
  /// A run.
  struct Run: Hashable {
    /// Its number, from 1.
    var number: Int
    /// The environment, without the plan.
    var environment: [String: String] = [:]

    /// The commit, shortened; the number where there is none.
    var title: String { environment["commit"].map { String($0.prefix(10)) } ?? "\(number)" }
  }

  /// What a run measured of one benchmark.
  struct Entry: Hashable {
    /// Number of the run.
    var run: Int
    /// What was measured, and of what.
    var key: ResultRow.Key
    /// The metric; `exact` where the launches agreed.
    var metric: Metric
    /// Launches behind the value.
    var launches: Int
    /// The median over launches with its interval.
    var estimate: Estimate
    /// The smallest launch, what each further tenth of them doesn't exceed, and the largest; empty where all agree.
    var deciles: [Double] = []
  }

  /// The runs, in the order of the file.
  private(set) var runs: [Run] = []
  /// The rows, in the order of the file.
  private(set) var entries: [Entry] = []
  /// Bytes of the file up to where it breaks off; `nil` for a whole one.
  private(set) var wholeLength: Int?
  /// 1-based number of the line that the file breaks off in; `nil` for a whole one.
  private(set) var brokenLine: Int?

  /// First line of a history.
  static let version = "# gauge-history 1"
  /// The fields of a record.
  static let columns = [
    "run", "benchmark", "parameters", "metric", "unit", "polarity", "kind", "launches", "median", "low", "high",
    "deciles",
  ]

  /// Name of the environment field with the first line of what the commit says of itself.
  static let subjectField = "subject"

  /// Most runs of a file.
  static let mostRuns = 20_000

  /// A history without runs.
  init() {}

  /// Reads the text of a history.
  ///
  /// - Throws: `ResultFile.Failure.malformed`.
  init(_ bytes: [UInt8], path: String) throws(ResultFile.Failure) {
    let file = try TableFile(bytes, path: path, columns: Self.columns, mayBreakOff: true)
    guard let first = file.comments.first, first.line == 1, "#" + first.text == Self.version else {
      let found = file.comments.first { $0.line == 1 }.map { "'#\(excerpt(of: $0.text))'" } ?? "none"
      throw .malformed(path: path, line: 1, field: nil, message: "expected '\(Self.version)', found \(found)")
    }
    for (line, text) in file.comments.dropFirst() { try readField(text, line: line, path: path) }
    let numbers = Set(runs.map(\.number))
    var keys: Set<ResultRow.Key> = []
    for row in file.rows {
      for column in ["benchmark", "parameters", "metric"] {
        try row.expect(column, atMost: ResultFormat.mostNameBytes)
      }
      try row.expect("unit", atMost: ResultFormat.mostUnitBytes)
      let run = try row.count("run", from: 1)
      guard numbers.contains(run) else {
        throw row.wrong("run", "expected a run that is described")
      }
      if let last = entries.last?.run, run != last {
        guard run > last else { throw row.wrong("run", "expected \(last) or more, as the records before it have") }
        keys.removeAll()
      }
      let metric = Metric(
        try row.name("metric"), unit: row["unit"], polarity: try row.word("polarity"), kind: try row.word("kind"))
      let (median, low, high) = (try row.number("median"), try row.number("low"), try row.number("high"))
      guard low <= high else { throw row.wrong("high", "expected a number not below 'low'") }
      let key = ResultRow.Key(
        benchmark: try row.name("benchmark"), parameters: row["parameters"], metric: metric.name)
      guard keys.insert(key).inserted else {
        throw row.wrong("metric", "expected what run \(run) doesn't have of '\(excerpt(of: key.title))' yet")
      }
      entries.append(
        Entry(
          run: run, key: key, metric: metric, launches: try row.count("launches", from: 1),
          estimate: Estimate(median, Interval(low, high)),
          deciles: try Self.deciles(row)))
    }
    wholeLength = file.broken?.offset
    brokenLine = file.broken?.line
  }

  private static func deciles(_ row: TableFile.Row) throws(ResultFile.Failure) -> [Double] {
    let words = row["deciles"].split(separator: " ")
    let deciles = words.compactMap { ResultFormat.number(String($0)) }
    guard words.isEmpty || deciles.count == 11 && words.count == 11 && deciles == deciles.sorted() else {
      throw row.wrong("deciles", "expected eleven numbers in rising order, or nothing")
    }
    return deciles
  }

  private mutating func readField(_ text: String, line: Int, path: String) throws(ResultFile.Failure) {
    let parts = text.unicodeScalars.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, let number = Int(String(parts[0])), (1...ResultFormat.largestCount).contains(number),
      let colon = parts[1].firstRange(of: ": ".unicodeScalars)
    else {
      throw .malformed(
        path: path, line: line, field: nil, message: "expected '# RUN name: value', found '#\(excerpt(of: text))'")
    }
    if runs.last?.number != number {
      guard number > runs.last?.number ?? 0 else {
        throw .malformed(path: path, line: line, field: "run", message: "run \(number) is out of order")
      }
      guard runs.count < Self.mostRuns else {
        throw .malformed(path: path, line: line, field: "run", message: "more than \(Self.mostRuns) runs")
      }
      runs.append(Run(number: number))
    }
    // Of two fields of one name the first counts, as in a result file: a run's own hash stands before its environment.
    let name = String(parts[1][..<colon.lowerBound])
    if runs[runs.count - 1].environment[name] == nil {
      runs[runs.count - 1].environment[name] = ResultFormat.unescape(parts[1][colon.upperBound...])
    }
  }

  /// The run that was made of a result file, by the file's hash.
  func run(of hash: String) -> Run? { runs.first { $0.environment["results"] == hash } }

  /// Whether a run has fewer records than its results give: a write that was killed, or a copy that broke off, has left
  /// the others out.
  func lacksRecords(_ run: Run, of results: Results) -> Bool {
    entries.count { $0.run == run.number } < Self.entries(of: results, number: run.number).count
  }

  /// The history without a run.
  func removing(_ run: Run) -> History {
    var history = self
    history.runs.removeAll { $0.number == run.number }
    history.entries.removeAll { $0.run == run.number }
    return history
  }

  /// Why a run can't be added: the file would have more than is read; `nil` where it can.
  ///
  /// - Parameters:
  ///   - lines: The lines that add it.
  ///   - size: Bytes of the file without them.
  func obstacle(toAdding lines: [UInt8], behind size: Int) -> String? {
    let records = lines.split(separator: UInt8(ascii: "\n")).count { $0.first != UInt8(ascii: "#") }
    if runs.count >= Self.mostRuns { return "more than \(Self.mostRuns) runs" }
    if entries.count + records > TableFile.mostRows { return "more than \(TableFile.mostRows) records" }
    if size + lines.count >= ResultFormat.mostBytes { return "\(ResultFormat.mostBytes) bytes or more" }
    return nil
  }

  /// The lines that add a run.
  ///
  /// - Parameters:
  ///   - results: What it measured. Metrics that are not judged are left out, as they follow from others.
  ///   - hash: Hash of the result file.
  func lines(adding results: Results, hash: String) -> String {
    (runs.isEmpty ? Self.head : "") + Self.lines(of: results, hash: hash, number: (runs.last?.number ?? 0) + 1)
  }

  /// The place of a run of a commit among the others.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - order: The places of commits in the order that they were made in.
  /// - Returns: How many runs stand before it. One of a commit that nothing is known of stays behind the one before it.
  func place(of commit: String, in order: [String: Int]) -> Int {
    let places = runs.map { $0.environment["commit"].flatMap { order[$0] } }
    guard let own = order[commit], places.contains(where: { $0 != nil }) else { return runs.count }
    let last = places.lastIndex { $0.map { $0 <= own } ?? false }
    let next = places.indices.first { $0 > last ?? -1 && places[$0] != nil }
    return next ?? runs.count
  }

  /// The whole text with a run put in, which makes the numbers of those behind it larger by one.
  ///
  /// - Parameters:
  ///   - results: What it measured.
  ///   - hash: Hash of the result file.
  ///   - place: How many runs stand before it.
  func text(inserting results: Results, hash: String, at place: Int) -> String {
    let entries = Dictionary(grouping: self.entries, by: \.run)
    var text = Self.head
    for (index, run) in runs.enumerated() {
      if index == place { text += Self.lines(of: results, hash: hash, number: index + 1) }
      let number = index + (index < place ? 1 : 2)
      let fields = run.environment.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
      text += Self.lines(of: fields, number: number)
      text += (entries[run.number] ?? []).map { Self.record($0, number: number) }.joined()
    }
    if place == runs.count { text += Self.lines(of: results, hash: hash, number: place + 1) }
    return text
  }

  /// What a file begins with.
  private static var head: String { version + "\n" + CSV.record(columns) }

  private static func lines(of results: Results, hash: String, number: Int) -> String {
    let fields = [(name: "results", value: hash)] + results.environment.filter { !left.contains($0.name) }
    return lines(of: fields, number: number)
      + entries(of: results, number: number).map { record($0, number: number) }.joined()
  }

  /// What a run's results are in a history.
  private static func entries(of results: Results, number: Int) -> [Entry] {
    let options = ComparisonOptions()
    let grouped = MeasuredRows.grouped(results)
    let groups = GroupScores(grouped)
    return grouped.sorted { $0.key < $1.key }.compactMap { key, rows in
      guard let estimate = rows.estimate(confidence: options.confidence) else { return nil }
      let isExact = rows.metric.kind == .exact && rows.repeats
      let rule = JudgingRule(rows.metric, ofGroup: groups.name(key), repeats: rows.repeats, options: options)
      if case .shown = rule { return nil }
      var metric = rows.metric
      metric.kind = isExact ? .exact : .sampled
      let sorted = rows.values.sorted()
      let deciles = rows.repeats ? [] : (0...10).map { quantile(Double($0) / 10, ofSorted: sorted) }
      return Entry(
        run: number, key: key, metric: metric, launches: rows.values.count, estimate: estimate, deciles: deciles)
    }
  }

  private static func lines(of fields: [(name: String, value: String)], number: Int) -> String {
    fields.map { "# \(number) \($0.name): \(ResultFormat.escape($0.value))\n" }.joined()
  }

  private static func record(_ entry: Entry, number: Int) -> String {
    CSV.record([
      "\(number)", entry.key.benchmark, entry.key.parameters, entry.key.metric, entry.metric.unit,
      entry.metric.polarity.rawValue, entry.metric.kind.rawValue, "\(entry.launches)",
      allDigits(entry.estimate.value), allDigits(entry.estimate.interval.lower),
      allDigits(entry.estimate.interval.upper),
      entry.deciles.map { String(format: "%.6g", $0) }.joined(separator: " "),
    ])
  }

  /// Fields of a result file that say nothing about what was measured on what.
  private static let left = ["gauge_options", Limits.field, SeveralThreads.field, Results.plannedField]
}
