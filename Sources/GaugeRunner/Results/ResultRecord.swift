// One record of a result file read into a row or a fault, field by field.

import Gauge

/// The fields of one record, and where they stand.
struct ResultRecord {
  /// What a record holds.
  enum Content {
    /// A measurement, or why there is none.
    case row(ResultRow)
    /// A benchmark that broke.
    case fault(BenchmarkFault)
    /// The end of a run, in the place behind its last launch.
    case end(sequence: Int)
  }

  /// The places of `ResultFormat.columns`.
  enum Column: Int, CaseIterable {
    case benchmark, parameters, metric, unit, polarity, kind, launch, sequence, iterations, samples, value, note
  }

  private let fields: [String]
  private let line: Int
  private let path: String

  /// - Throws: `ResultFile.Failure.malformed` where the number of fields is wrong.
  init(_ record: CSV.Record, path: String) throws(ResultFile.Failure) {
    fields = record.fields
    line = record.line
    self.path = path
    guard fields.count == ResultFormat.columns.count else {
      let message = "expected \(ResultFormat.columns.count) fields, found \(fields.count)"
      throw .malformed(path: path, line: line, field: nil, message: message)
    }
  }

  /// Reads the fields.
  ///
  /// - Throws: `ResultFile.Failure.malformed` with the first field that is wrong.
  func content() throws(ResultFile.Failure) -> Content {
    let benchmark = try name(.benchmark)
    for (column, most) in [
      (Column.benchmark, ResultFormat.mostNameBytes), (.parameters, ResultFormat.mostNameBytes),
      (.metric, ResultFormat.mostNameBytes), (.unit, ResultFormat.mostUnitBytes),
    ] where self[column].utf8.count > most {
      throw wrong(column, "expected at most \(most) bytes")
    }
    let metric = Metric(
      try name(.metric), unit: self[.unit], polarity: try word(.polarity), kind: try word(.kind))
    if let (column, expected) = metric.contradiction { throw wrong(column, expected) }
    let launch = try count(.launch)
    let sequence = try count(.sequence)
    let iterations = try count(.iterations)
    let samples = try count(.samples)
    let note = self[.note]
    if metric.name == ResultFormat.fault {
      guard let text = Self.rest(of: note, behind: ResultFormat.faultPrefix) else {
        throw wrong(.note, "expected '\(ResultFormat.faultPrefix)' and a reason")
      }
      let separator = text.firstRange(of: ResultFormat.outputSeparator.unicodeScalars)
      return .fault(
        BenchmarkFault(
          benchmark: benchmark, parameters: self[.parameters],
          reason: ResultFormat.unescape(text[..<(separator?.lowerBound ?? text.endIndex)]),
          output: separator.map { ResultFormat.unescape(text[$0.upperBound...]) } ?? "",
          launch: launch, sequence: sequence))
    }
    // A benchmark of that name has a value, or says why not.
    if metric.name == ResultFormat.end.metric, benchmark == ResultFormat.end.benchmark, self[.value].isEmpty,
      Self.rest(of: note, behind: ResultFormat.endPrefix) != nil
    {
      return .end(sequence: sequence)
    }
    return .row(
      ResultRow(
        benchmark: benchmark, parameters: self[.parameters], metric: metric, launch: launch, sequence: sequence,
        iterations: iterations, samples: samples, outcome: try outcome(of: metric, note)))
  }

  private func outcome(of metric: Metric, _ note: String) throws(ResultFile.Failure) -> Measurement.Outcome {
    if self[.value].isEmpty {
      guard let reason = Self.rest(of: note, behind: ResultFormat.unavailablePrefix) else {
        throw wrong(.note, "expected '\(ResultFormat.unavailablePrefix)' and a reason, as there is no value")
      }
      return .unavailable(ResultFormat.unescape(reason))
    }
    guard let value = ResultFormat.number(self[.value]) else { throw wrong(.value, "expected a number") }
    guard value >= 0 || !metric.isNeverNegative else {
      throw wrong(.value, "expected a number from 0")
    }
    return .value(value)
  }

  /// What stands behind a beginning, scalar by scalar; `nil` where that isn't there.
  private static func rest(of note: String, behind beginning: String) -> Substring.UnicodeScalarView? {
    note.unicodeScalars.starts(with: beginning.unicodeScalars)
      ? note.unicodeScalars.dropFirst(beginning.unicodeScalars.count) : nil
  }

  private subscript(_ column: Column) -> String {
    fields[column.rawValue]
  }

  private func wrong(_ column: Column, _ expected: String) -> ResultFile.Failure {
    .malformed(
      path: path, line: line, field: ResultFormat.columns[column.rawValue],
      message: "\(expected), found '\(excerpt(of: self[column]))'")
  }

  private func name(_ column: Column) throws(ResultFile.Failure) -> String {
    guard !self[column].isEmpty else { throw wrong(column, "expected a name") }
    return self[column]
  }

  private func count(_ column: Column) throws(ResultFile.Failure) -> Int {
    guard let count = ResultFormat.count(self[column]) else {
      throw wrong(column, "expected a whole number from 0")
    }
    return count
  }

  private func word<Word: RawRepresentable & CaseIterable>(
    _ column: Column
  ) throws(ResultFile.Failure) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: self[column]) else {
      let words = Word.allCases.map { "'\($0.rawValue)'" }
      throw wrong(column, "expected \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
    }
    return word
  }
}
