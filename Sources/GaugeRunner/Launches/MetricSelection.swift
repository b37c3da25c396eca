// Which quantities a run takes: whole passes, or single metrics of them.

import Gauge

/// The metrics that a run takes.
struct MetricSelection: Hashable, Sendable {
  /// What is taken of a pass.
  private enum Part: Hashable, Sendable {
    /// Everything that its launches measure.
    case everything
    /// The metrics of these names.
    case only(Set<String>)
  }

  private var wanted: [LaunchRequest.Pass: Part] = [:]

  /// Everything but the counts of instructions, which take valgrind and are asked for.
  static let everything = MetricSelection(passes: LaunchRequest.Pass.allCases.filter { $0 != .counts })

  /// Everything that repeats exactly.
  static let exact = MetricSelection(passes: exactPasses)

  private static let exactPasses: [LaunchRequest.Pass] = [.allocations, .counts]

  private init(passes: [LaunchRequest.Pass]) {
    for pass in passes { wanted[pass] = .everything }
  }

  /// The same selection with everything in it that repeats exactly.
  var withExactPasses: MetricSelection {
    var selection = self
    for pass in Self.exactPasses { selection.wanted[pass] = .everything }
    return selection
  }

  /// A name that is neither a pass nor a metric.
  struct UnknownName: Error, Hashable {
    /// The name.
    var name: String
  }

  /// Reads names of passes and metrics.
  ///
  /// - Throws: `UnknownName`.
  init(names: [String]) throws(UnknownName) {
    for name in names {
      if let pass = LaunchRequest.Pass(rawValue: name) {
        wanted[pass] = .everything
      } else if let pass = Self.pass(ofMetric: name) {
        switch wanted[pass] {
        case .everything: break
        case .only(let metrics): wanted[pass] = .only(metrics.union([name]))
        case nil: wanted[pass] = .only([name])
        }
      } else {
        throw UnknownName(name: name)
      }
    }
  }

  /// Names that can be given, for suggestions; percentiles of latency can be any. `time` and `allocations` name a pass as
  /// well as its first metric: they take the whole pass.
  static let names =
    LaunchRequest.Pass.allCases.map(\.rawValue) + timeMetrics + ["latency_p50", "latency_p99", "latency_max"]
    + ["open_latency_p50", "open_latency_p99", "open_latency_max", Metric.openLoopRate.name]
    + allocationMetrics.filter { LaunchRequest.Pass(rawValue: $0) == nil } + countedMetrics

  private static let timeMetrics = [
    Metric.timePerElement, .throughput, .bandwidth, .referenceLoop, .referenceStores,
  ].map(\.name)
  private static let countedMetrics = Metric.counted.map(\.name)
  private static let allocationMetrics = [Metric.allocations, .frees, .allocatedBytes].map(\.name)

  private static func pass(ofMetric name: String) -> LaunchRequest.Pass? {
    if timeMetrics.contains(name) { return .time }
    // Those of a group of threads.
    if ["time_", "throughput_"].contains(where: { name.hasPrefix($0) && name != $0 }) { return .time }
    if allocationMetrics.contains(name) { return .allocations }
    if name == Metric.openLoopRate.name { return .openLatency }
    if name.hasPrefix("open_latency_"), name != "open_latency_" { return .openLatency }
    if countedMetrics.contains(name) { return .counts }
    return name.hasPrefix("latency_") && name != "latency_" ? .latency : nil
  }

  /// Whether launches of a pass are needed.
  func takes(_ pass: LaunchRequest.Pass) -> Bool { wanted.keys.contains(pass) }

  /// Whether a metric of a pass is wanted.
  func takes(_ metric: Metric, of pass: LaunchRequest.Pass) -> Bool {
    switch wanted[pass] {
    case .everything: true
    case .only(let names): names.contains(metric.name)
    case nil: false
    }
  }
}
