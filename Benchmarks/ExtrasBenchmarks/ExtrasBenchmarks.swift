// What the extras cost, beside the stream core's own benchmarks.

import Gauge

@main struct ExtrasBenchmarks: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    extraOperatorBenchmarks
    eventBusBenchmarks
    mainActorBenchmarks
    eventLoopBenchmarks
  }
}

extension Set<LaunchRequest.Pass> {
  /// Everything but latency.
  static let withoutLatency = Set(LaunchRequest.Pass.allCases).subtracting([.latency, .openLatency])
}
