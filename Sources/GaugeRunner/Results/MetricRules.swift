// What the built-in metrics' names promise of their rows.

import Gauge

extension Metric {
  /// Nanoseconds of the units of times.
  private static let nanosecondsByUnit: [String: Double] = [
    "ns": 1, "us": 1e3, "\u{B5}s": 1e3, "\u{3BC}s": 1e3, "ms": 1e6, "s": 1e9,
  ]

  /// Nanoseconds of the unit of a time: a million of `ms` and of `ms/op`; `nil` where the unit is none of a time.
  var nanosecondsOfUnit: Double? {
    unit.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first
      .flatMap { Self.nanosecondsByUnit[String($0)] }
  }

  /// Whether values depend on the speed of the machine, so that they mean nothing on another: times, and rates.
  var isTime: Bool {
    let words = unit.split(separator: "/", omittingEmptySubsequences: false)
    return nanosecondsOfUnit != nil || words.count > 1 && Self.nanosecondsByUnit[String(words[words.count - 1])] != nil
  }

  /// Whether this is a quotient of what the instrument counts and a number of operations that a launch is told.
  var isCount: Bool { unit.hasSuffix("/op") && Metric.builtIn(named: name)?.kind == .exact }

  /// Whether this is memory that each operation may have kept a part of.
  var isKeptMemory: Bool {
    ([.peakResident, .residentGrowth, .allocatorResident, .allocatorActive, .allocatorAllocated] as [Metric])
      .contains { $0.name == name }
  }

  /// Whether another allocator gives another value for the same code.
  var dependsOnAllocator: Bool { (Metric.heap + Metric.allocator).contains { $0.name == name } }

  /// What of this contradicts the built-in metric of its name, and what that has; `nil` for nothing.
  ///
  /// Counts may have been found to vary; what is no count is never exact.
  var contradiction: (column: ResultRecord.Column, expected: String)? {
    let builtIn = latencyPercentile(of: name) == nil ? Metric.builtIn(named: name) : Metric(name, unit: unit)
    guard let builtIn else { return nil }
    if polarity != builtIn.polarity {
      return (.polarity, "expected '\(builtIn.polarity.rawValue)', as \(builtIn.name) is built in")
    }
    if kind == .exact, builtIn.kind == .sampled { return (.kind, "expected 'sampled', as \(builtIn.name) is built in") }
    return nil
  }
}

extension Metric {
  /// Metrics that nothing is subtracted from, which could come out below 0. Of times and counts an empty operation's
  /// are: they may, where an operation takes less than that varies.
  private static let unsubtracted = Set(
    (heap + machine + allocator + [
      throughput, bandwidth, latencyMaximum, openLatencyMaximum, openLoopRate, readyWait, peakResident, residentGrowth,
      profiledOperations,
    ]).map(\.name))

  /// Whether a value below 0 can't have been measured.
  var isNeverNegative: Bool { latencyPercentile(of: name) != nil || Self.unsubtracted.contains(name) }
}

/// The percentile of a built-in latency metric: 99.9 for `latency_p99_9`, and for `open_latency_p99_9`.
func latencyPercentile(of metric: String) -> Double? {
  guard let prefix = ["latency_p", "open_latency_p"].first(where: metric.hasPrefix) else { return nil }
  return Double(metric.dropFirst(prefix.count).split(separator: "_").joined(separator: "."))
}
