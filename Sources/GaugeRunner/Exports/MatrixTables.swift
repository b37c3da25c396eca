// Several variants against one base as plain tables and trees: CSV and JSON for scripts.

import GaugeStatistics

extension ComparisonMatrix {
  /// A line for each row of each variant: the variant, then what `Comparison.csv` says; of a variant that could not be
  /// measured one line, which has only the verdict and the reason.
  var csv: String {
    let failed = Comparison.csvColumns.map { $0 == "verdict" ? "broke" : "" }.dropLast()
    return CSV.record(["variant"] + Comparison.csvColumns)
      + columns.flatMap { column in
        column.comparison.map { $0.csvRecords.map { CSV.record([column.name] + $0) } }
          ?? [CSV.record([column.name] + failed + [column.failure])]
      }.joined()
  }

  /// The comparisons, each as `gauge ab` tells one of two sides.
  var json: String {
    JSONText.object([
      ("format", "gauge-matrix"), ("version", 1), ("exit_code", .number(Double(exitCode.rawValue))),
      ("base", .string(base)), ("terms", .string(terms)),
      (
        "variants",
        .array(
          columns.map { column in
            .object([
              ("number", .number(Double(column.number))), ("varied", .string(column.name)),
              ("summary", .string(summary(of: column))),
              ("failure", column.failure.isEmpty ? .null : .string(column.failure)),
              (
                "median_time_ratio",
                column.comparison.flatMap(Self.medianTimeChange).map { .number($0) } ?? .null
              ), ("comparison", column.comparison?.jsonObject ?? .null),
            ])
          })
      ),
    ]).text() + "\n"
  }
}
