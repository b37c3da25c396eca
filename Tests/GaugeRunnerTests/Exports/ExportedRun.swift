// A small run for the tests of exports.

import Gauge

@testable import GaugeRunner

extension RunSummary {
  /// Two benchmarks of one family with times, a count and latencies; names and values that every format must escape.
  static func sample() -> RunSummary {
    var results = Results.run()
    results.environment[0].value = "2025-01-01T00:00:00Z"
    results.environment += [("commit", "abc"), ("toolchain", "Swift 6"), ("limits", "x=y")]
    results.add(.time, [2, 3, 4], to: "a b/c", parameters: "n=1;k=x,\"y\"")
    results.add(.allocations, [5, 5], to: "a b/c", parameters: "n=1;k=x,\"y\"")
    results.add(.throughput, [100, 200, 300], to: "a b/c", parameters: "n=1;k=x,\"y\"")
    results.add(.latency(percentile: "50"), [10, 20, 30], to: "d")
    results.add(.latency(percentile: "99"), [100, 200, 300], to: "d")
    results.add(.latencyMaximum, [1000, 2000, 3000], to: "d")
    results.add(.referenceLoop, [1], to: "d")
    return RunSummary(results, title: "sample")
  }
}
