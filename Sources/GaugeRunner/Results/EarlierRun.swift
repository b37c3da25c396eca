// What an earlier run of this machine is remembered by: two numbers of each row, from which the scatter between runs of
// one build is learnt.

import Foundation
import Gauge

/// A run, as far as the scatter between runs is learnt from it.
///
/// The file has a comment line per environment field, one that says how many rows there are, and a record per row. It
/// is small (100 bytes a row), is never changed, and tells nothing that the result file doesn't.
struct EarlierRun: Sendable {
  /// The machine, the build and the date.
  var environment: [(name: String, value: String)]
  /// The rows: times, and what tells of the machine.
  var levels: [ResultRow.Key: RunLevel]

  /// First line of a file.
  static let version = "# gauge-earlier-run 2"
  /// First lines of files that hold other numbers than this version's: by the first, a quantile of the fast launches.
  static let formerVersions = ["# gauge-earlier-run 1"]
  /// The fields of a record.
  static let columns = ["benchmark", "parameters", "metric", "launches", "fast", "slow"]
  /// Name of the line that says how many records there are; files of earlier versions have none.
  private static let rowsField = "rows"
  /// The environment that is kept: what must agree before times are compared, the build, and the date.
  private static let fields = Likeness.fields + ["executables", "date"]

  /// What the executables were, by content; empty where that isn't told.
  var build: String { Self.build(environment) }

  /// What a run's executables were, by content; empty where that isn't told.
  static func build(_ environment: [(name: String, value: String)]) -> String {
    environment.first { $0.name == "executables" }?.value ?? ""
  }

  /// When it was made, in seconds since 1970; `nil` where that isn't told.
  var seconds: Double? { Self.seconds(date) }

  /// When it was made, as the file says it.
  private var date: String? { environment.first { $0.name == "date" }?.value }

  /// The seconds since 1970 of a result file's date; `nil` of what is none.
  static func seconds(_ date: String?) -> Double? {
    date.flatMap { try? Date($0, strategy: .iso8601) }?.timeIntervalSince1970
  }

  /// Whether this has all launches of another run: as a copy of it, or as a file that it was merged into, which has the
  /// dates of all its parts. Which launches were calm is not the same there, so that the slow ones tell.
  func holds(_ other: EarlierRun) -> Bool {
    build == other.build && (date ?? "").components(separatedBy: " | ").contains(other.date ?? "")
      && other.levels.allSatisfy { levels[$0.key]?.slow == $0.value.slow }
  }

  /// Remembers a run.
  init(_ results: Results) {
    environment = results.environment.filter { Self.fields.contains($0.name) }
    levels = MeasuredRows.grouped(results).filter { $0.value.isOfScatter }.compactMapValues { RunLevel($0) }
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `ResultFile.Failure.malformed`.
  init(_ bytes: [UInt8], path: String) throws(ResultFile.Failure) {
    let file = try TableFile(bytes, path: path, columns: Self.columns)
    guard let first = file.comments.first, first.line == 1, "#" + first.text == Self.version else {
      throw .malformed(path: path, line: 1, field: nil, message: "expected '\(Self.version)'")
    }
    environment = []
    for (line, text) in file.comments.dropFirst() {
      let text = text.unicodeScalars
      guard let colon = text.firstRange(of: ": ".unicodeScalars), text.first == " " else {
        throw .malformed(
          path: path, line: line, field: nil, message: "expected '# name: value', found '#\(excerpt(of: String(text)))'"
        )
      }
      environment.append(
        (String(text[..<colon.lowerBound].dropFirst()), ResultFormat.unescape(text[colon.upperBound...])))
    }
    levels = [:]
    for row in file.rows {
      let key = ResultRow.Key(
        benchmark: try row.name("benchmark"), parameters: row["parameters"], metric: try row.name("metric"))
      guard levels[key] == nil else { throw row.wrong("metric", "expected each row once") }
      let launches = try row.count("launches", from: 1)
      guard launches <= ResultFormat.mostLaunches else {
        throw row.wrong("launches", "expected no more than \(ResultFormat.mostLaunches)")
      }
      levels[key] = RunLevel(
        launches: launches, fast: try row.number("fast"),
        slow: try row.number("slow"))
    }
    // What is left of a number is a number.
    let end = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
    guard bytes.last == UInt8(ascii: "\n") else {
      throw .malformed(path: path, line: end, field: nil, message: "the file breaks off")
    }
    if let index = environment.firstIndex(where: { $0.name == Self.rowsField }) {
      let rows = environment.remove(at: index).value
      guard rows == "\(levels.count)" else {
        throw .malformed(
          path: path, line: end - 1, field: nil,
          message: "the file has \(levels.count) rows, and should have \(excerpt(of: rows))")
      }
    }
  }

  /// The text of the file.
  var text: String {
    let head = (environment + [(Self.rowsField, "\(levels.count)")]).map {
      "# \($0.name): \(ResultFormat.escape($0.value))\n"
    }.joined()
    let records = levels.sorted { $0.key < $1.key }.map { key, level in
      CSV.record([
        key.benchmark, key.parameters, key.metric, "\(level.launches)", "\(level.fast)", "\(level.slow)",
      ])
    }
    return Self.version + "\n" + head + CSV.record(Self.columns) + records.joined()
  }
}

extension MeasuredRows {
  /// Whether the scatter between runs is learnt of this: of times, of what the instrument notices of the machine, and
  /// of what rare operations add.
  var isOfScatter: Bool {
    guard metric.kind == .sampled else { return false }
    if metric.polarity == .neither { return tellsOfMachine }
    // Those of groups of threads have the group's name behind it.
    return metric.isTime || metric.name.hasPrefix(Metric.meanByMedian.name) && metric.unit == Metric.meanByMedian.unit
  }
}
