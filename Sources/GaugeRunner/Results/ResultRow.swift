// One line of a result file, and the whole file in memory. Reading and writing CSV is in ResultFile.swift.

import Gauge

/// One quantity of one benchmark in one launch: a line of a result file.
public struct ResultRow: Hashable, Sendable {
  /// Name of the benchmark, without parameters, for example `subject/passthrough/send`.
  public var benchmark: String
  /// The point of the parameter grid, as `name=value` joined by `;`; empty without parameters.
  public var parameters: String
  /// What was measured.
  public var metric: Metric
  /// 0-based number of the launch among this benchmark's launches of the same pass.
  public var launch: Int
  /// 0-based position of the launch in the whole run, in the planned order.
  public var sequence: Int
  /// Operations behind the value.
  public var iterations: Int
  /// Samples behind the value.
  public var samples: Int
  /// The launch's estimate, or the reason why there is none.
  public var outcome: Measurement.Outcome

  /// Creates a row.
  public init(
    benchmark: String, parameters: String, metric: Metric, launch: Int, sequence: Int, iterations: Int, samples: Int,
    outcome: Measurement.Outcome
  ) {
    self.benchmark = benchmark
    self.parameters = parameters
    self.metric = metric
    self.launch = launch
    self.sequence = sequence
    self.iterations = iterations
    self.samples = samples
    self.outcome = outcome
  }

  /// What a row is compared by: the same benchmark, parameters and metric on both sides.
  public struct Key: Hashable, Sendable, Comparable {
    /// Name of the benchmark, without parameters.
    public var benchmark: String
    /// The point of the parameter grid.
    public var parameters: String
    /// Name of the metric.
    public var metric: String

    /// The benchmark as people read it: `name` or `name[parameters]`.
    public var title: String { parameters.isEmpty ? benchmark : "\(benchmark)[\(parameters)]" }

    /// Orders by benchmark, then parameters, then metric, as text.
    public static func < (left: Key, right: Key) -> Bool {
      (left.benchmark, left.parameters, left.metric) < (right.benchmark, right.parameters, right.metric)
    }
  }

  /// What this row is compared by.
  public var key: Key { Key(benchmark: benchmark, parameters: parameters, metric: metric.name) }
}

/// A benchmark that could not be measured: it trapped, hung, threw, or reported nonsense.
public struct BenchmarkFault: Hashable, Sendable {
  /// Name of the benchmark, without parameters.
  public var benchmark: String
  /// The point of the parameter grid.
  public var parameters: String
  /// What happened, in one line: `killed by signal 4 (Illegal instruction)`, `threw: ...`, `no report within 30 s`.
  public var reason: String
  /// The last lines of what the launch printed.
  public var output: String
  /// 0-based number of the launch among this benchmark's launches of the same pass.
  public var launch: Int
  /// 0-based position of the launch in the whole run.
  public var sequence: Int

  /// Creates a fault.
  public init(
    benchmark: String, parameters: String, reason: String, output: String, launch: Int = 0, sequence: Int = 0
  ) {
    self.benchmark = benchmark
    self.parameters = parameters
    self.reason = reason
    self.output = output
    self.launch = launch
    self.sequence = sequence
  }

  /// The benchmark as people read it: `name` or `name[parameters]`.
  public var title: String { parameters.isEmpty ? benchmark : "\(benchmark)[\(parameters)]" }
}

/// A whole result file in memory.
public struct Results: Sendable {
  /// The machine and the build, as `name: value` in file order; see `Fingerprint` for the names.
  public var environment: [(name: String, value: String)] = []
  /// One row per benchmark, parameters, metric and launch, in the order of measuring.
  public var rows: [ResultRow] = []
  /// Benchmarks that broke.
  public var faults: [BenchmarkFault] = []
  /// Whether the file ends with the row that a run writes when it has come to its end.
  public var hasEnd = false
  /// Where each metric of a benchmark is described first, and how, as far as this was read from a file.
  var firsts: [ResultRow.Key: First] = [:]

  /// Creates an empty result.
  public init() {}

  /// The first description of a metric of a benchmark.
  struct First: Sendable {
    /// The file.
    var path: String
    /// 1-based line in it.
    var line: Int
    /// The metric.
    var metric: Metric

    /// What another description of it has otherwise, and what was expected.
    /// Whether a count repeats is found out by each run.
    func difference(from other: Metric) -> (column: String, expected: String)? {
      if metric.unit != other.unit { return ("unit", "'\(metric.unit)'") }
      return turn(to: other).map { ("polarity", $0) }
    }

    /// The direction that was expected where another description has another one.
    fileprivate func turn(to other: Metric) -> String? {
      metric.polarity == other.polarity ? nil : "'\(metric.polarity.rawValue)'"
    }
  }

  /// Refuses a run in which another direction of a metric is the better one: what got worse would be an improvement.
  ///
  /// - Parameter base: What it is compared with.
  /// - Throws: `ResultFile.Failure.malformed`.
  func expectDirections(of base: Results) throws(ResultFile.Failure) {
    for (key, now) in firsts.sorted(by: { $0.value.line < $1.value.line }) {
      guard let before = base.firsts[key], let expected = before.turn(to: now.metric) else { continue }
      throw .malformed(
        path: now.path, line: now.line, field: "polarity",
        message: "expected \(expected), as \(key.metric) of \(key.title) has in \(before.path):\(before.line), "
          + "found '\(now.metric.polarity.rawValue)'")
    }
  }

  /// The value of an environment field.
  public func environment(_ name: String) -> String? { environment.first { $0.name == name }?.value }

  /// Name of the environment line that says how many launches a run has planned.
  static let plannedField = "planned_launches"

  /// How many launches were planned, as far as the file says.
  var planned: Int { environment(Self.plannedField).flatMap { Int($0) } ?? 0 }

  /// How much there is of a run that has not come to its end: `37 of 400 launches`; `nil` for a whole one, and for a
  /// file that doesn't say how many launches were planned.
  var incompleteness: String? {
    guard !hasEnd, let planned = environment(Self.plannedField) else { return nil }
    // What was made once more lies behind all that was planned.
    let launches = Set(rows.map(\.sequence) + faults.map(\.sequence)).count { $0 < self.planned }
    return "\(launches) of \(planned) launches"
  }
}
