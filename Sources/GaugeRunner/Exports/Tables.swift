// Runs and comparisons as plain tables and trees: CSV and JSON for scripts.

import Gauge
import GaugeStatistics

extension RunSummary {
  /// A line per benchmark and metric: the median over launches and its interval, or in the note why there is none.
  var csv: String {
    CSV.record([
      "benchmark", "parameters", "metric", "unit", "polarity", "kind", "launches", "median", "low", "high", "note",
    ])
      + points.flatMap { point in
        point.rows.map { row in
          CSV.record([
            point.benchmark, point.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ";"), row.metric.name,
            row.metric.unit, row.metric.polarity.rawValue, row.metric.kind.rawValue, "\(row.values.count)",
            "\(row.estimate.value)", "\(row.estimate.interval.lower)", "\(row.estimate.interval.upper)", "",
          ])
        }
      }.joined()
      + absences.map { absence in
        let metric = absence.metric
        return CSV.record([
          absence.key.benchmark, absence.key.parameters, metric.name, metric.unit, metric.polarity.rawValue,
          metric.kind.rawValue, "0", "", "", "", absence.note,
        ])
      }.joined()
  }

  /// The run with every launch.
  var json: String {
    JSONText.object([
      ("format", "gauge-run"), ("version", 1), ("title", .string(title)),
      ("incomplete", incompleteness.map { .string($0) } ?? .null), ("environment", JSONText(environment)),
      (
        "benchmarks",
        .array(
          points.map { point in
            .object([
              ("benchmark", .string(point.benchmark)), ("parameters", JSONText(point.parameters)),
              (
                "metrics",
                .array(
                  point.rows.map { row in
                    .object(
                      [
                        ("metric", .string(row.metric.name)), ("unit", .string(row.metric.unit)),
                        ("polarity", .string(row.metric.polarity.rawValue)),
                        ("kind", .string(row.metric.kind.rawValue)),
                      ] + JSONText.estimate(row.estimate) + [
                        ("launches", .array(row.values.map { .number($0) }))
                      ])
                  })
              ),
            ])
          })
      ),
      (
        "unavailable",
        .array(
          absences.map { absence in
            .object([
              ("benchmark", .string(absence.key.benchmark)),
              ("parameters", JSONText(Self.parameters(absence.key.parameters))),
              ("metric", .string(absence.metric.name)), ("note", .string(absence.note)),
            ])
          })
      ), ("faults", .array(faults.map(\.json))),
    ]).text() + "\n"
  }
}

extension BenchmarkFault {
  /// The fault with what the launch printed.
  fileprivate var json: JSONText {
    .object([("benchmark", .string(title)), ("reason", .string(reason)), ("output", .string(output))])
  }
}

extension Comparison {
  /// A line per compared row.
  var csv: String { CSV.record(Self.csvColumns) + csvRecords.map(CSV.record).joined() }

  /// What the fields of a line are.
  static let csvColumns = [
    "benchmark", "parameters", "metric", "unit", "verdict", "scale", "before", "after", "change", "low", "high",
    "reason",
  ]

  /// The fields of each line.
  var csvRecords: [[String]] {
    entries.map { entry in
      let change = entry.change
      return [
        entry.key.benchmark, entry.key.parameters, entry.key.metric, entry.metric.unit, entry.word,
        change.map { $0.scale == .ratio ? "ratio" : "difference" } ?? "", Self.number(entry.before?.value),
        Self.number(entry.after?.value), Self.number(change?.estimate.value),
        Self.number(change?.estimate.interval.lower), Self.number(change?.estimate.interval.upper), entry.reason,
      ]
    }
  }

  private static func number(_ value: Double?) -> String { value.flatMap { $0.isFinite ? "\($0)" : nil } ?? "" }

  /// The verdicts with what led to them.
  var json: String { jsonObject.text() + "\n" }

  /// The same as a part of something larger.
  var jsonObject: JSONText {
    .object([
      ("format", "gauge-comparison"), ("version", 1), ("exit_code", .number(Double(exitCode.rawValue))),
      ("varied", varied.map { .string($0) } ?? .null), ("summary", .string(summary)), ("terms", .string(terms)),
      (
        "counts",
        .object(Verdict.allCases.map { ($0.rawValue, .number(Double(count($0)))) })
      ),
      (
        "rows",
        .array(
          entries.map { entry in
            .object(
              [
                ("benchmark", .string(entry.key.benchmark)),
                ("parameters", JSONText(RunSummary.parameters(entry.key.parameters))),
                ("metric", .string(entry.key.metric)), ("unit", .string(entry.metric.unit)),
                ("verdict", .string(entry.word)),
                ("before", entry.before.map { .object(JSONText.estimate($0)) } ?? .null),
                ("after", entry.after.map { .object(JSONText.estimate($0)) } ?? .null),
                (
                  "change",
                  entry.change.map {
                    .object(
                      [("scale", $0.scale == .ratio ? "ratio" : "difference")] + JSONText.estimate($0.estimate))
                  } ?? .null
                ), ("p", entry.pValue.map { .number($0) } ?? .null), ("reason", .string(entry.reason)),
              ])
          })
      ),
      ("explanations", .array(explanations.sorted { $0.key < $1.key }.map { $1.json(title: $0) })),
      ("faults", .array(faults.map(\.json))),
      ("only_in_base", .array(onlyInBase.map { .string("\($0.title) \($0.metric)") })),
      ("only_in_new", .array(onlyInNew.map { .string("\($0.title) \($0.metric)") })),
    ])
  }
}
