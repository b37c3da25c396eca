// The text of a result file: version line, environment lines, header and rows; version 1 of the format.

import Gauge

/// The lines of a result file, as text.
enum ResultFormat {
  /// First line of every result file; the number is the version of the format.
  static let version = "# gauge-results 1"

  /// Names of the columns, in order.
  static let columns = [
    "benchmark", "parameters", "metric", "unit", "polarity", "kind", "launch", "sequence", "iterations", "samples",
    "value", "note",
  ]

  /// Metric name of a row that tells of a fault.
  static let fault = "fault"
  /// Benchmark and metric name of the row that a run ends with.
  static let end = (benchmark: "gauge", metric: "end")
  /// What the note of the row that a run ends with begins with.
  static let endPrefix = "end: "
  /// What the note of a row without a value begins with.
  static let unavailablePrefix = "unavailable: "
  /// What the note of a fault begins with.
  static let faultPrefix = "fault: "
  /// What stands between a fault's reason and its output.
  static let outputSeparator = " | "

  /// Largest count of a row: more can't have happened, and sums of such ones stay whole numbers.
  static let largestCount = 1 << 47
  /// Largest size of a value, of whatever sign: differences and products of two stay finite.
  static let largestValue = 1e150

  /// A number in decimal notation; `nil` for anything else, such as `0x1p3`, `+3` and `inf`.
  static func number(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }), text.utf8.first != UInt8(ascii: "+") else {
      return nil
    }
    return Double(text).flatMap { abs($0) <= largestValue ? $0 : nil }
  }

  /// A whole number from a least one, in digits; `nil` for anything else.
  static func count(_ text: String, from least: Int = 0) -> Int? {
    guard text.utf8.allSatisfy("0123456789".utf8.contains) else { return nil }
    return Int(text).flatMap { (least...largestCount).contains($0) ? $0 : nil }
  }

  /// Most bytes of a name, of a benchmark, of its parameters or of a metric: tables have it beside each of its values.
  static let mostNameBytes = 10_000
  /// Most bytes of a unit, for which a table has room in each of its lines.
  static let mostUnitBytes = 1000

  /// Most lines above the header.
  static let mostEnvironmentLines = 1000
  /// Most launches of one metric of one benchmark.
  static let mostLaunches = 20_000
  /// Most bytes of a file.
  static let mostBytes = 1 << 28

  /// Everything above the rows.
  static func head(environment: [(name: String, value: String)]) -> String {
    version + "\n" + environment.map { "# \($0.name): \(escape($0.value))\n" }.joined() + CSV.record(columns)
  }

  /// One row as a line.
  static func line(_ row: ResultRow) -> String {
    let (value, note) =
      switch row.outcome {
      case .value(let value): ("\(value)", "")
      case .unavailable(let reason): ("", unavailablePrefix + escape(reason))
      }
    return CSV.record([
      row.benchmark, row.parameters, row.metric.name, row.metric.unit, row.metric.polarity.rawValue,
      row.metric.kind.rawValue, "\(row.launch)", "\(row.sequence)", "\(row.iterations)", "\(row.samples)", value, note,
    ])
  }

  /// One fault as a line.
  static func line(_ fault: BenchmarkFault) -> String {
    // A bar within the reason is marked, so that the first bare one separates.
    let reason = escape(fault.reason).unicodeScalars.split(separator: "|", omittingEmptySubsequences: false).map(
      String.init
    )
    .joined(separator: "\\|")
    let output = fault.output.isEmpty ? "" : outputSeparator + escape(fault.output)
    return CSV.record([
      fault.benchmark, fault.parameters, Self.fault, "", Metric.Polarity.neither.rawValue, Metric.Kind.sampled.rawValue,
      "\(fault.launch)", "\(fault.sequence)", "0", "0", "", faultPrefix + reason + output,
    ])
  }

  /// The line that a run ends with.
  ///
  /// - Parameter launches: How many were planned.
  static func end(after launches: Int) -> String {
    CSV.record([
      end.benchmark, "", end.metric, "launches", Metric.Polarity.neither.rawValue, Metric.Kind.exact.rawValue, "0",
      "\(launches)", "0", "0", "", "\(endPrefix)\(launches) launches were planned",
    ])
  }

  /// A text on one line: line feeds, carriage returns and backslashes as `\n`, `\r` and `\\`.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The text that `escape` put on one line.
  static func unescape(_ text: Substring.UnicodeScalarView) -> String {
    var plain = ""
    var isEscaped = false
    for scalar in text {
      if isEscaped {
        switch scalar {
        case "n": plain += "\n"
        case "r": plain += "\r"
        default: plain.unicodeScalars.append(scalar)
        }
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}
