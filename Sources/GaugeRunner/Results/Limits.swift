// How far a benchmark is from the least that it must do: its limit,
// as its author declares it and the same run measured it.

import Gauge

/// Which benchmark is the limit of which, and the distance between the two.
///
/// A run writes the pairs into the environment line `limits` of its result file, as `name=limit` joined by `;`, so that
/// a report needs nothing but the file. Lines of other forms name no limits.
struct Limits: Hashable {
  /// Name of the environment line.
  static let field = "limits"

  private var limits: [String: String] = [:]

  /// The limits that benchmarks declare.
  init(of points: [BenchmarkPoint]) {
    for point in points { limits[point.benchmark] = point.limit }
  }

  /// The limits that a result file names.
  init(in results: Results) {
    for pair in (results.environment(Self.field) ?? "").split(separator: ";") {
      let names = pair.split(separator: "=")
      if names.count == 2 { limits[String(names[0])] = String(names[1]) }
    }
  }

  /// The family of a benchmark: the first part of its name.
  static func family(of benchmark: String) -> String {
    benchmark.unicodeScalars.split(separator: "/", maxSplits: 1).first.map(String.init) ?? benchmark
  }

  /// The environment line; none where there are no limits.
  var fields: [(name: String, value: String)] {
    guard !limits.isEmpty else { return [] }
    let pairs = limits.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return [(name: Self.field, value: pairs.joined(separator: ";"))]
  }

  /// What a run has measured, as far as distances are told from it.
  struct Points {
    fileprivate var parameters: [String: Set<String>] = [:]
    fileprivate var first: [String: String] = [:]
    private var times: [ResultRow.Key: Double] = [:]

    /// - Parameter rows: All rows of the run.
    init(_ rows: [ResultRow.Key: MeasuredRows]) {
      for (key, row) in rows {
        parameters[key.benchmark, default: []].insert(key.parameters)
        if [Metric.time.name, Metric.timePerElement.name].contains(key.metric) { times[key] = row.middle }
      }
      first = parameters.compactMapValues { $0.min() }
    }

    /// Nanoseconds per element; an operation of one element has no such metric of its own.
    fileprivate func timePerElement(of benchmark: String, _ parameters: String) -> Double? {
      [Metric.timePerElement, .time].lazy.compactMap { metric in
        times[ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: metric.name)]
      }.first
    }
  }

  /// How many times as long as its limit a benchmark takes, per element: the ratio of the medians over launches.
  ///
  /// The limit is taken at the same parameters where it has them,
  /// and otherwise at its first ones in the order of names.
  ///
  /// - Returns: The limit's name with its parameters, and the ratio; `nil` where there is no limit or one of both was
  ///   not measured, or takes no time that could be told from nothing.
  func distance(of benchmark: String, _ parameters: String, at points: Points) -> (limit: String, ratio: Double)? {
    guard let limit = limits[benchmark], let known = points.parameters[limit],
      let point = known.contains(parameters) ? parameters : points.first[limit],
      let time = points.timePerElement(of: benchmark, parameters),
      let least = points.timePerElement(of: limit, point), least > 0
    else { return nil }
    let key = ResultRow.Key(benchmark: limit, parameters: point, metric: Metric.time.name)
    return (key.title, time / least)
  }
}
