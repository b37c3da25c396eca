// What of a run grows along an axis: the values of a benchmark at the points that differ in one number alone.

import Gauge
import GaugeStatistics

/// One metric of a benchmark along one axis of numbers.
struct ScalingSeries: Hashable {
  /// The benchmark, with the parameters that stay the same.
  var title: String
  /// The axis.
  var axis: String
  /// The metric.
  var metric: Metric
  /// One value per launch, at the place on the axis.
  var points: [Point]

  /// A value at a place.
  struct Point: Hashable {
    /// The place on the axis.
    var size: Double
    /// The launch's value.
    var value: Double
  }

  /// Most parameters of a benchmark that are looked at: each is looked at beside all others.
  static let mostParameters = 64

  /// The name of the axis that the universal scalability law is fitted over.
  static let threads = "threads"

  /// Whether the axis is the number of threads.
  var isOverThreads: Bool { axis == Self.threads }

  /// All series of a run with at least two places, by title and axis.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - name: Name of the metric; `nil` takes the throughput over threads and the time over anything else.
  static func all(in results: Results, metric name: String?) -> [ScalingSeries] {
    var series: [String: ScalingSeries] = [:]
    for row in results.rows {
      guard case .value(let value) = row.outcome else { continue }
      let parameters = row.parameters.unicodeScalars.split(separator: ";").map(String.init)
      guard parameters.count <= mostParameters else { continue }
      for (index, parameter) in parameters.enumerated() {
        let parts = parameter.unicodeScalars.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let size = ResultFormat.number(parts[1]), size >= 1 else { continue }
        let axis = parts[0]
        let wanted = name ?? (axis == threads ? Metric.throughput.name : Metric.time.name)
        guard row.metric.name == wanted else { continue }
        var others = parameters
        others.remove(at: index)
        let title = row.benchmark + (others.isEmpty ? "" : "[\(others.joined(separator: ";"))]")
        let key = title + " over " + axis
        series[key, default: ScalingSeries(title: title, axis: axis, metric: row.metric, points: [])].points.append(
          Point(size: size, value: value))
      }
    }
    return series.values.filter { Set($0.points.map(\.size)).count >= 2 }
      .sorted { ($0.title, $0.axis) < ($1.title, $1.axis) }
  }

  /// The places with the median of their values and its interval, in order.
  var estimates: [(size: Double, estimate: Estimate)] {
    Dictionary(grouping: points, by: \.size).sorted { $0.key < $1.key }.map { size, points in
      let values = points.map(\.value)
      let interval = MedianBootstrap(values).interval(confidence: ComparisonOptions().confidence)
      return (size, Estimate(median(of: values), interval))
    }
  }

  /// The places with the median of their values, in order.
  var medians: [Point] {
    Dictionary(grouping: points, by: \.size)
      .map { Point(size: $0.key, value: median(of: $0.value.map(\.value))) }.sorted { $0.size < $1.size }
  }
}
