// A run as exporters need it: benchmarks in order, each with its metrics, and a metric's launches in time order.

import Foundation
import Gauge
import GaugeStatistics

/// A run, summarised per benchmark and metric.
struct RunSummary {
  /// A metric of a benchmark.
  struct Row {
    /// What was measured.
    var metric: Metric
    /// One value per launch in time order, not empty.
    var values: [Double]
    /// The median over the launches with its interval.
    var estimate: Estimate
    /// Operations behind each launch's value, the first launch's for all.
    var iterations: Int
    /// Samples behind all launches' values.
    var samples: Int
  }

  /// A benchmark at one point of its parameter grid.
  struct Point {
    /// Name of the benchmark, without parameters.
    var benchmark: String
    /// The parameters, by name.
    var parameters: [(name: String, value: String)]
    /// What was measured, in the order of metrics' names; a metric that could not be measured is left out.
    var rows: [Row]

    /// The benchmark as people read it.
    var title: String {
      ResultRow.Key(
        benchmark: benchmark, parameters: parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ";"), metric: ""
      ).title
    }

    /// The row of a metric.
    func row(_ metric: Metric) -> Row? { rows.first { $0.metric.name == metric.name } }

    /// The threads that the benchmark names among its parameters; 1 where it doesn't.
    var threads: Int { parameters.first { $0.name == "threads" }.flatMap { Int($0.value) } ?? 1 }
  }

  /// A metric that could not be measured.
  struct Absence: Hashable {
    /// The benchmark and its parameters.
    var key: ResultRow.Key
    /// What was to be measured.
    var metric: Metric
    /// `unavailable: ` and why.
    var note: String
  }

  /// The benchmarks, ordered by name and parameters.
  var points: [Point] = []
  /// What could not be measured, ordered alike.
  var absences: [Absence] = []
  /// Benchmarks that broke.
  var faults: [BenchmarkFault]
  /// How much there is of a run that has not come to its end; `nil` for a whole one.
  var incompleteness: String?
  /// The machine and the build.
  var environment: [(name: String, value: String)]
  /// Title of the run: its file's name.
  var title: String

  /// Summarises a run.
  init(_ results: Results, title: String) {
    self.title = title
    faults = results.faults
    incompleteness = results.incompleteness
    environment = results.environment.filter { !Results.listingFields.contains($0.name) }
    let firsts = Dictionary(results.rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let samples = results.rows.reduce(into: [ResultRow.Key: Int]()) {
      $0[$1.key] = boundedSum($0[$1.key] ?? 0, $1.samples)
    }
    for (key, rows) in MeasuredRows.grouped(results).sorted(by: { $0.key < $1.key }) {
      guard let estimate = rows.estimate(confidence: ComparisonOptions().confidence), let first = firsts[key] else {
        let note = ResultFormat.unavailablePrefix + (rows.unavailable ?? "no value")
        absences.append(Absence(key: key, metric: rows.metric, note: note))
        continue
      }
      let row = Row(
        metric: rows.metric, values: rows.values, estimate: estimate, iterations: first.iterations,
        samples: samples[key] ?? 0)
      if points.last?.title == key.title {
        points[points.count - 1].rows.append(row)
      } else {
        points.append(Point(benchmark: key.benchmark, parameters: Self.parameters(key.parameters), rows: [row]))
      }
    }
  }

  /// The parameters of `name=value;name=value`.
  static func parameters(_ text: String) -> [(name: String, value: String)] {
    text.unicodeScalars.split(separator: ";").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
    }
  }

  /// A field of the environment; empty where there is none.
  func field(_ name: String) -> String { environment.first { $0.name == name }?.value ?? "" }

  /// When the run began, in seconds since 1970; `nil` where the file doesn't say.
  var seconds: Double? { EarlierRun.seconds(field("date")) }
}
