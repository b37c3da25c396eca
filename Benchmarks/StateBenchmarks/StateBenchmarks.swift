// What changes of states cost.

import Gauge

@main struct StateBenchmarks: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    changeBenchmarks
  }
}

extension Set<LaunchRequest.Pass> {
  /// Everything but latency.
  static let withoutLatency = Set(LaunchRequest.Pass.allCases).subtracting([.latency, .openLatency])
}
