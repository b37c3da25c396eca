// What a suite measured over many commits: an append-only file with one line per row of each run.

import Gauge
import GaugeStatistics

/// The history of a suite.
///
/// The file has a comment line per environment field of a run, `# RUN name: value`, and a record per benchmark and metric
/// with the median over launches and its interval. It only ever grows, by one write per run.
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
  }

  /// The runs, in the order of the file.
  private(set) var runs: [Run] = []
  /// The rows, in the order of the file.
  private(set) var entries: [Entry] = []
  /// Bytes of the file up to where it breaks off; `nil` for a whole one.
  private(set) var wholeLength: Int?

  /// First line of a history.
  static let version = "# gauge-history 1"
  /// The fields of a record.
  static let columns = [
    "run", "benchmark", "parameters", "metric", "unit", "polarity", "kind", "launches", "median", "low", "high",
  ]

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
      throw .malformed(path: path, line: 1, field: nil, message: "expected '\(Self.version)'")
    }
    for (line, text) in file.comments.dropFirst() { try readField(text, line: line, path: path) }
    let numbers = Set(runs.map(\.number))
    for row in file.rows {
      for column in ["benchmark", "parameters", "metric"] {
        try row.expect(column, atMost: ResultFormat.mostNameBytes)
      }
      try row.expect("unit", atMost: ResultFormat.mostUnitBytes)
      let run = try row.count("run", from: 1)
      guard numbers.contains(run) else {
        throw row.wrong("run", "expected a run that is described")
      }
      let metric = Metric(
        try row.name("metric"), unit: row["unit"], polarity: try row.word("polarity"), kind: try row.word("kind"))
      let (median, low, high) = (try row.number("median"), try row.number("low"), try row.number("high"))
      guard low <= high else { throw row.wrong("high", "expected a number not below 'low'") }
      entries.append(
        Entry(
          run: run,
          key: ResultRow.Key(benchmark: try row.name("benchmark"), parameters: row["parameters"], metric: metric.name),
          metric: metric, launches: try row.count("launches", from: 1), estimate: Estimate(median, Interval(low, high)))
      )
    }
    wholeLength = file.broken?.offset
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
    let number = (runs.last?.number ?? 0) + 1
    let fields = [(name: "results", value: hash)] + results.environment.filter { !Self.left.contains($0.name) }
    var text = runs.isEmpty ? Self.version + "\n" + CSV.record(Self.columns) : ""
    text += fields.map { "# \(number) \($0.name): \(ResultFormat.escape($0.value))\n" }.joined()
    let options = ComparisonOptions()
    let grouped = MeasuredRows.grouped(results)
    let groups = GroupScores(grouped)
    for (key, rows) in grouped.sorted(by: { $0.key < $1.key }) {
      guard let estimate = rows.estimate(confidence: options.confidence) else { continue }
      let isExact = rows.metric.kind == .exact && rows.repeats
      let rule = JudgingRule(rows.metric, ofGroup: groups.name(key), repeats: rows.repeats, options: options)
      if case .shown = rule { continue }
      text += CSV.record([
        "\(number)", key.benchmark, key.parameters, key.metric, rows.metric.unit, rows.metric.polarity.rawValue,
        (isExact ? Metric.Kind.exact : .sampled).rawValue, "\(rows.values.count)",
        allDigits(estimate.value), allDigits(estimate.interval.lower), allDigits(estimate.interval.upper),
      ])
    }
    return text
  }

  /// Fields of a result file that say nothing about what was measured on what.
  private static let left = ["gauge_options", Limits.field, SeveralThreads.field, Results.plannedField]
}
