// Which metrics are judged, and by which thresholds.

import Gauge

/// How the change of a metric is judged.
enum JudgingRule: Hashable {
  /// Equal or not; differences within the project's own thresholds, relative and in the metric's unit, count as none.
  case exact(threshold: Double, resolution: Double)
  /// As a time: between runs, against a relative threshold and an absolute one in the metric's unit: of a rate a
  /// project's own, else none.
  case time(threshold: Double, resolution: Double)
  /// By statistics over launches, against a relative threshold and an absolute one in the metric's unit.
  case sampled(threshold: Double, resolution: Double)
  /// Not at all.
  case shown(reason: String)

  /// The rule for a metric whose launches agree within each side, or don't.
  ///
  /// - Parameters:
  ///   - metric: What was measured.
  ///   - key: Of which benchmark; `nil` where a project's own thresholds don't matter.
  ///   - repeats: Whether the launches of each side agree among themselves.
  ///   - group: The built-in metric that this is of one group of threads; `nil` for another.
  ///   - wasExact: Whether the base is exact and its launches agree: then nothing that the new side says of itself
  ///     makes its differences count less.
  ///   - options: The thresholds.
  init(
    _ metric: Metric, of key: ResultRow.Key? = nil, ofGroup group: String? = nil, repeats: Bool, wasExact: Bool = false,
    options: ComparisonOptions
  ) {
    let name = group ?? metric.name
    let suffix = metric.name.dropFirst(name.count)
    let relative = key.flatMap { options.thresholds.relative($0) }
    let absolute = key.flatMap { options.thresholds.absolute($0) }
    if metric.polarity == .neither {
      self = .shown(reason: "describes the machine")
    } else if name == Metric.timePerElement.name {
      // Functions of what is judged: judging them too would count one change two or three times.
      self = .shown(reason: "follows from \(Metric.time.name)")
    } else if name == Metric.meanTime.name {
      self = .shown(reason: "follows from \(Metric.time.name)\(suffix) and \(Metric.meanByMedian.name)\(suffix)")
    } else if name == Metric.meanByMedian.name {
      self = .sampled(threshold: relative ?? options.rareThreshold, resolution: 0)
    } else if [Metric.throughput.name, Metric.bandwidth.name].contains(name) {
      self = .shown(reason: "follows from \(Metric.meanTime.name)\(suffix)")
    } else if metric.kind == .exact && repeats {
      self = .exact(threshold: relative ?? 0, resolution: absolute ?? 0)
    } else if wasExact {
      self = .sampled(threshold: relative ?? 0, resolution: absolute ?? 0)
    } else if [Metric.latencyMaximum.name, Metric.openLatencyMaximum.name].contains(name)
      || (latencyPercentile(of: name) ?? 0) >= 99.99
    {
      // A maximum, and what one operation in 10,000 takes, is set by interrupts and other processes: it estimates no
      // property of the code.
      self = .shown(reason: "set by single events of the machine")
    } else if metric.isTime {
      let isTail = (latencyPercentile(of: name) ?? 0) >= 99
      self = .time(
        threshold: relative ?? (isTail ? options.tailThreshold : options.timeThreshold),
        resolution: absolute ?? options.resolution(of: metric, named: name))
    } else {
      // What an author counts may be small by nature: only of what is counted here a hundredth of one is little.
      let isCountedHere = metric.unit.hasSuffix("/op") && Metric.builtIn(named: name) != nil
      self = .sampled(
        threshold: relative ?? options.countThreshold,
        resolution: absolute ?? (isCountedHere ? options.countResolution : 0))
    }
  }
}

extension ComparisonOptions {
  /// The difference of a time that the instrument does not resolve, in the metric's unit; 0 of a rate, which may be any
  /// part of it.
  ///
  /// - Parameters:
  ///   - metric: The time.
  ///   - name: The built-in metric that it is of one group of threads; its own name where not given.
  func resolution(of metric: Metric, named name: String? = nil) -> Double {
    guard let nanosecondsOfUnit = metric.nanosecondsOfUnit else { return 0 }
    return (latencyPercentile(of: name ?? metric.name) != nil ? latencyResolution : timeResolution) / nanosecondsOfUnit
  }
}
