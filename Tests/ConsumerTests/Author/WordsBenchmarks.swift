// A benchmark as its author writes it over the example of `swift package benchmark init`.

import Gauge
import Words

@main struct WordsBenchmarks: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    Benchmark("words/count", over: .values("words", [10, 1000]), tags: ["smoke"]) { run in
      let text = (0..<run["words"]).map { "word\($0 % 50)" }.joined(separator: " ")
      run.elements = run["words"]
      run.countedOperations = 20
      run.measure { wordCounts(of: text) }
    }
  }
}
