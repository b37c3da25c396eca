// The corpus as a benchmark executable; culprits.csv names the function that each change is in.

import Gauge

@main struct ExplainCorpus: BenchmarkSuite {
  static var benchmarks: [Benchmark] {
    collectionBenchmarks + orderBenchmarks + objectBenchmarks + valueBenchmarks + callBenchmarks + textBenchmarks
      + shareBenchmarks + machineBenchmarks + threadBenchmarks
  }
}

/// Numbers without a pattern that the optimiser could know.
@inline(never) func numbers(_ count: Int, below limit: Int = 1000) -> [Int] {
  (0..<opaque(count)).map { ($0 &* 7919 &+ 13) % limit }
}

/// What programs do besides: the same in both builds, and dear enough to be taken for the culprit.
@inline(never) func digest(_ values: [Int]) -> Int {
  var state = 1
  for value in values { state = (state &* 31 &+ value) ^ (state &>> 7) }
  return state
}
