// Reading a result file: every complaint names file, line, field and what was expected.

import Foundation
import Gauge

/// A file of results.
enum ResultFile {
  /// Why a file couldn't be read or written.
  enum Failure: Error, Hashable, CustomStringConvertible {
    /// There is no such file.
    case missing(path: String)
    /// The system doesn't let it be read.
    case unreadable(path: String, reason: String)
    /// It is not a result file, or a damaged one. `field` is a column's name where one is at fault.
    case malformed(path: String, line: Int, field: String?, message: String)
    /// The system doesn't let it be written.
    case unwritable(path: String, reason: String)

    var description: String {
      switch self {
      case .missing(let path): legible("\(path): no such file")
      case .unreadable(let path, let reason): legible("\(path): cannot be read: \(reason)")
      case .malformed(let path, let line, let field, let message):
        legible("\(path):\(line): " + (field.map { "field '\($0)': " } ?? "") + message)
      case .unwritable(let path, let reason): legible("\(path): cannot be written: \(reason)")
      }
    }
  }

  /// A file's results, and what was odd about it without being wrong.
  struct Contents {
    /// What the file holds.
    var results: Results
    /// Oddities that are worth telling, each with file and line.
    var warnings: [String]
    /// 1-based line that the last launch of the file begins on, and its position in the plan; `nil` without rows.
    var lastLaunch: (line: Int, sequence: Int)?
    /// 1-based number of the last line where that breaks off.
    var brokenLine: Int?
  }

  /// Reads a file that this program has written.
  ///
  /// - Parameter path: The file.
  /// - Returns: Its results; a last line that breaks off is left out with a warning.
  /// - Throws: `Failure.missing`, `.unreadable` or `.malformed`.
  static func read(_ path: String) throws(Failure) -> Contents {
    try parse(TableFile.contents(of: path, isTyped: false), path: path)
  }

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - path: Name of the file in complaints.
  static func parse(_ bytes: [UInt8], path: String) throws(Failure) -> Contents {
    func wrong(_ line: Int, _ message: String) -> Failure {
      .malformed(path: path, line: line, field: nil, message: message)
    }
    if let line = firstInvalidLine(bytes) { throw wrong(line, "not UTF-8 text") }
    var contents = Contents(results: Results(), warnings: [])
    var line = 1
    var position = 0
    while position < bytes.count, bytes[position] == UInt8(ascii: "#") {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let text = String(decoding: bytes[position..<end], as: UTF8.self).trimmingCharacters(in: ["\r"])
      if line == 1 {
        guard text == ResultFormat.version else { throw wrong(1, versionComplaint(text)) }
      } else {
        // By scalars: a value may begin with a mark that would be one character with the space.
        guard let colon = text.unicodeScalars.firstRange(of: ": ".unicodeScalars), text.utf8.starts(with: "# ".utf8)
        else {
          throw wrong(line, "expected an environment line '# name: value', found '\(excerpt(of: text))'")
        }
        guard contents.results.environment.count < ResultFormat.mostEnvironmentLines else {
          throw wrong(line, "more than \(ResultFormat.mostEnvironmentLines) environment lines")
        }
        contents.results.environment.append(
          (
            String(text.unicodeScalars[..<colon.lowerBound].dropFirst(2)),
            ResultFormat.unescape(text.unicodeScalars[colon.upperBound...])
          ))
      }
      position = min(end + 1, bytes.count)
      line += 1
    }
    guard line > 1 else {
      throw wrong(1, versionComplaint(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)))
    }
    let records: [CSV.Record]
    do {
      records = try CSV.records(bytes[position...], firstLine: line)
    } catch {
      let column = ResultFormat.columns.indices.contains(error.field) ? ResultFormat.columns[error.field] : nil
      throw .malformed(path: path, line: error.line, field: column, message: error.message)
    }
    guard let header = records.first, header.fields == ResultFormat.columns else {
      let found = records.first.map { "'\(excerpt(of: $0.fields.joined(separator: ",")))'" } ?? "the end of the file"
      // Where the head breaks off within a line, there is no next one to name.
      let place = records.isEmpty && bytes.last != UInt8(ascii: "\n") ? line - 1 : line
      throw wrong(place, "expected the header '\(ResultFormat.columns.joined(separator: ","))', found \(found)")
    }
    guard header.isWhole else { throw wrong(line, "the file breaks off within its header") }
    try append(records.dropFirst(), to: &contents, path: path)
    return contents
  }

  private static func append(
    _ records: ArraySlice<CSV.Record>, to contents: inout Contents, path: String
  ) throws(Failure) {
    struct Identity: Hashable {
      var key: ResultRow.Key
      var launch: Int
    }
    var seen: [Identity: Int] = [:]
    var launches: [ResultRow.Key: Int] = [:]
    for record in records {
      guard record.isWhole else {
        contents.warnings.append("\(path):\(record.line): the last line breaks off and was left out")
        contents.brokenLine = record.line
        continue
      }
      let sequence: Int
      switch try ResultRecord(record, path: path).content() {
      case .row(let row):
        sequence = row.sequence
        let identity = Identity(key: row.key, launch: row.launch)
        if let first = seen.updateValue(record.line, forKey: identity) {
          throw .malformed(
            path: path, line: record.line, field: "launch",
            message: "\(row.metric.name) of \(row.key.title) has launch \(row.launch) already on line \(first)")
        }
        if let first = contents.results.firsts[row.key], let (column, expected) = first.difference(from: row.metric) {
          throw .malformed(
            path: path, line: record.line, field: column,
            message: "expected \(expected), as \(row.metric.name) of \(row.key.title) has on line \(first.line)")
        } else if contents.results.firsts[row.key] == nil {
          contents.results.firsts[row.key] = Results.First(path: path, line: record.line, metric: row.metric)
        }
        launches[row.key, default: 0] += 1
        guard launches[row.key] ?? 0 <= ResultFormat.mostLaunches else {
          throw .malformed(
            path: path, line: record.line, field: "launch",
            message: "more than \(ResultFormat.mostLaunches) launches of \(row.key.title)")
        }
        contents.results.rows.append(row)
      case .fault(let fault):
        sequence = fault.sequence
        contents.results.faults.append(fault)
      case .end(let place):
        sequence = place
        contents.results.hasEnd = true
      }
      if contents.lastLaunch?.sequence != sequence { contents.lastLaunch = (record.line, sequence) }
    }
  }

  private static func versionComplaint(_ found: String) -> String {
    let name = ResultFormat.version.prefix { !$0.isNumber }
    if found.hasPrefix(name) {
      return
        "a result file of version '\(excerpt(of: String(found.dropFirst(name.count))))'; this gauge reads version 1"
    }
    return found.isEmpty
      ? "expected '\(ResultFormat.version)', found an empty line or file"
      : "not a result file: expected '\(ResultFormat.version)', found '\(excerpt(of: found))'"
  }

  /// 1-based line of the first bytes that are not UTF-8.
  private static func firstInvalidLine(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }
}
