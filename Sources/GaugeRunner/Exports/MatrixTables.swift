// Several variants against one base as plain tables and trees: CSV and JSON for scripts.

import GaugeStatistics

extension ComparisonMatrix {
  /// A line for each row of each variant: the variant, then what `Comparison.csv` says.
  var csv: String {
    CSV.record(["variant"] + Comparison.csvColumns)
      + judged.flatMap { column, comparison in
        comparison.csvRecords.map { CSV.record([column.name] + $0) }
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
