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

  /// What a run takes that asks for nothing: the passes that say most for their time.
  static let usual = MetricSelection(passes: usualPasses)

  /// The passes of a run that asks for nothing.
  static let usualPasses: [LaunchRequest.Pass] = [.time, .latency, .openLatency, .allocations, .custom]

  /// Every pass but the counts under valgrind, which are asked for by a name of their own.
  static let everything = MetricSelection(passes: passes.filter { $0 != .counts })

  /// The passes of runs: profiles are none of a run.
  private static let passes = LaunchRequest.Pass.allCases.filter { $0 != .profile }

  /// The name of `everything` among those of passes and metrics.
  static let nameOfEverything = "all"

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
      if name == Self.nameOfEverything {
        wanted.merge(Self.everything.wanted) { $1 }
      } else if let pass = Self.passes.first(where: { $0.rawValue == name }) {
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

  /// Names that can be given, for suggestions; percentiles of latency can be any. Some name a pass as well as its first
  /// metric: they take the whole pass.
  static let names: [String] = {
    var names = passes.map(\.rawValue) + [nameOfEverything]
    for name in passes.flatMap({ metrics[$0] ?? [] }) where !names.contains(name) {
      names.append(name)
    }
    return names + ["latency_p50", "latency_p99", "open_latency_p50", "open_latency_p99"]
  }()

  /// The metrics of each pass, those apart whose names have something of the author's own in them.
  private static let metrics: [LaunchRequest.Pass: [String]] = [
    .time: [Metric.time, .meanTime, .meanByMedian, .timePerElement, .throughput, .bandwidth, .readyWait]
      + Metric.machine,
    .latency: [.latencyMaximum], .openLatency: [.openLatencyMaximum, .openLoopRate],
    .allocations: Metric.heap, .counts: Metric.counted, .resources: Metric.resources,
    .systemCalls: [.systemCalls], .references: Metric.references, .allocator: Metric.allocator,
    .hardware: Metric.hardware, .singleShot: [.singleShot],
  ].mapValues { $0.map(\.name) }

  /// The pass that measures a metric; `nil` for a name that no built-in metric has.
  static func pass(ofMetric name: String) -> LaunchRequest.Pass? {
    if let entry = metrics.first(where: { $0.value.contains(name) }) { return entry.key }
    // Percentiles, and the scores of a group of threads.
    let beginnings: [(String, LaunchRequest.Pass)] = [
      ("open_latency_", .openLatency), ("latency_", .latency), ("time_", .time), ("mean_time_", .time),
      ("mean_by_median_", .time), ("throughput_", .time),
    ]
    return beginnings.first { name.hasPrefix($0.0) && name != $0.0 }?.1
  }

  /// Whether launches of a pass are needed.
  func takes(_ pass: LaunchRequest.Pass) -> Bool { wanted.keys.contains(pass) }

  /// Rows that a launch of a pass writes at most, groups of threads and authors' own metrics apart.
  func mostRows(of pass: LaunchRequest.Pass) -> Int {
    // The percentiles of a latency have no names in the table.
    let percentiles = pass == .latency || pass == .openLatency ? 5 : 0
    return switch wanted[pass] {
    case .everything: (Self.metrics[pass]?.count ?? 1) + percentiles
    case .only(let names): names.count
    case nil: 0
    }
  }

  /// Whether a metric of a pass is wanted.
  func takes(_ metric: Metric, of pass: LaunchRequest.Pass) -> Bool {
    switch wanted[pass] {
    case .everything: true
    case .only(let names): names.contains(metric.name)
    case nil: false
    }
  }
}
