// Static limits kept in git: what a benchmark may cost at most, and whether a run keeps to it.

/// What one row of a run, or the difference of two, may be at most.
struct CostLimit: Hashable {
  /// What is limited, in words.
  var what: String
  /// The row.
  var key: ResultRow.Key
  /// A row whose value is taken off, as the cost of one more stage is that of ten less that of one.
  var less: ResultRow.Key?
  /// What the value is divided by, above 0.
  var divisor: Double
  /// The largest value that is within the limit.
  var limit: Double

  /// The fields of a file of limits.
  static let columns = ["what", "benchmark", "parameters", "less", "less_parameters", "divisor", "metric", "limit"]

  /// Most lines of a file: each may be about a row of many launches.
  static let mostLines = 10_000

  /// Reads the text of a file of limits.
  ///
  /// - Throws: `ResultFile.Failure.malformed`.
  static func parse(_ bytes: [UInt8], path: String) throws(ResultFile.Failure) -> [CostLimit] {
    let file = try TableFile(bytes, path: path, columns: columns, mostRows: mostLines)
    return try file.rows.map { row throws(ResultFile.Failure) in
      let metric = try row.name("metric")
      let divisor = try row.number("divisor")
      guard divisor > 0 else { throw row.wrong("divisor", "expected more than 0") }
      return CostLimit(
        what: row["what"],
        key: ResultRow.Key(benchmark: try row.name("benchmark"), parameters: row["parameters"], metric: metric),
        less: row["less"].isEmpty
          ? nil : ResultRow.Key(benchmark: row["less"], parameters: row["less_parameters"], metric: metric),
        divisor: divisor, limit: try row.number("limit"))
    }
  }

  /// What a run says about a limit.
  enum Outcome: Hashable {
    /// The value, at most the limit.
    case within(Double)
    /// The value, above the limit.
    case above(Double)
    /// Why there is no value.
    case missing(String)
  }

  /// Holds a run against the limit: the least of its launches for a count, the median for anything else. What a launch
  /// counts above the least is not what the code costs alone, but how its threads met: a library that keeps freed
  /// memory for each thread allocates where one thread takes what another frees.
  func outcome(in rows: [ResultRow.Key: MeasuredRows]) -> Outcome {
    var values: [Double] = []
    for key in [key, less].compactMap({ $0 }) {
      guard let found = rows[key] else { return .missing("no row \(key.metric) of \(key.title)") }
      guard let value = found.metric.isCount ? found.values.min() : found.middle else {
        return .missing("\(key.title): unavailable: \(found.unavailable ?? "no value")")
      }
      values.append(value)
    }
    let value = (values[0] - values.dropFirst().reduce(0, +)) / divisor
    return value <= limit + MeasuredRows.exactTolerance * abs(limit) ? .within(value) : .above(value)
  }
}
