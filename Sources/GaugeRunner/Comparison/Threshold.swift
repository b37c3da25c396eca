// Thresholds of a project's own, kept in git beside its limits: which changes of which metrics don't matter.

/// The change of some benchmarks' metrics that does not matter.
struct Threshold: Hashable, Sendable {
  /// Which benchmarks: a pattern for the name, or for the name with parameters.
  let benchmark: Glob
  /// Which metrics: a pattern.
  let metric: Glob
  /// Relative change that does not matter: 0.05 for 5 %; `nil` leaves it as it is.
  var relative: Double?
  /// Absolute difference that does not matter, in the metric's unit; `nil` leaves it as it is.
  var absolute: Double?

  /// The fields of a file of thresholds.
  static let columns = ["benchmark", "metric", "percent", "absolute"]
  /// Most lines of a file: each is held against each row.
  static let mostLines = 1000
  /// Most bytes of a pattern.
  static let mostPatternBytes = 500
  /// The largest per cent that a threshold may have.
  static let largestPercent = 1e6

  /// Whether this is about a row.
  func matches(_ key: ResultRow.Key) -> Bool {
    metric.matches(key.metric) && (benchmark.matches(key.benchmark) || benchmark.matches(key.title))
  }

  /// Reads the text of a file of thresholds.
  ///
  /// - Throws: `ResultFile.Failure.malformed`.
  static func parse(_ bytes: [UInt8], path: String) throws(ResultFile.Failure) -> [Threshold] {
    try TableFile(bytes, path: path, columns: columns, mostRows: mostLines).rows.map { row throws(ResultFile.Failure) in
      func number(_ column: String, atMost most: Double?) throws(ResultFile.Failure) -> Double? {
        if row[column].isEmpty { return nil }
        let number = try row.number(column)
        guard number >= 0, number <= most ?? number else {
          throw row.wrong(column, "expected " + (most.map { "0 to \(Int($0))" } ?? "0 or more"))
        }
        return number
      }
      let percent = try number("percent", atMost: largestPercent)
      let absolute = try number("absolute", atMost: nil)
      guard percent != nil || absolute != nil else {
        throw row.wrong("percent", "expected a number here or in 'absolute'")
      }
      for column in ["benchmark", "metric"] { try row.expect(column, atMost: mostPatternBytes) }
      return Threshold(
        benchmark: try row.name("benchmark"), metric: try row.name("metric"), relative: percent.map { $0 / 100 },
        absolute: absolute)
    }
  }

  /// Reads an option: `METRIC=PERCENT`, or `PERCENT` of the time.
  ///
  /// - Returns: `nil` for something else.
  init?(option text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let percent = parts.last.flatMap({ ResultFormat.number(String($0)) }),
      (0...Self.largestPercent).contains(percent)
    else {
      return nil
    }
    let metric = parts.count == 2 ? String(parts[0]) : "time"
    guard !metric.isEmpty else { return nil }
    self.init(benchmark: "*", metric: metric, relative: percent / 100, absolute: nil)
  }

  init(benchmark: String, metric: String, relative: Double?, absolute: Double?) {
    self.benchmark = Glob(benchmark)
    self.metric = Glob(metric)
    self.relative = relative
    self.absolute = absolute
  }
}

extension [Threshold] {
  /// The relative change that does not matter of a row: that of the last line that fits it and has one.
  func relative(_ key: ResultRow.Key) -> Double? { last { $0.relative != nil && $0.matches(key) }?.relative }

  /// The absolute difference that does not matter of a row: that of the last line that fits it and has one.
  func absolute(_ key: ResultRow.Key) -> Double? { last { $0.absolute != nil && $0.matches(key) }?.absolute }
}
