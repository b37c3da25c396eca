// A suite as an author writes it: the example of the documentation, and its way through a launch.

import Testing

@testable import Gauge

@Suite struct BenchmarkSuiteTests {
  /// The example in the documentation of `BenchmarkSuite` and `Benchmark`.
  private enum ArrayBenchmarks: BenchmarkSuite {
    @BenchmarkBuilder static var benchmarks: [Benchmark] {
      Benchmark("array/sum", over: .values("count", [10, 1000])) { run in
        let numbers = Array(0..<run["count"])
        run.elements = run["count"]
        run.measure { opaque(numbers).reduce(0, +) }
      }
      Benchmark("array/sort", over: .values("count", [10, 1000])) { run in
        let shuffled = (0..<run["count"]).map { ($0 &* 7919) % run["count"] }
        run.elements = run["count"]
        run.measure { shuffled.sorted() }
      }
    }
  }

  @Test func theExampleOfTheDocumentationIsMeasured() throws {
    #expect(Gauge.Suite.fault(in: ArrayBenchmarks.benchmarks) == nil)
    for (name, parameters) in [("array/sum", "count=1000"), ("array/sort", "count=10")] {
      let recorded = RecordedReport()
      let request = LaunchRequest(benchmark: name, parameters: parameters, pass: .time, budget: 1)
      let launch = Launch(benchmarks: ArrayBenchmarks.benchmarks, request: request, report: recorded.makeWriter())
      #expect(launch.run() == .done)
      let report = try LaunchReport(text: recorded.text)
      #expect(
        report.measurements.map(\.metric)
          == [.time, .meanTime, .meanByMedian, .timePerElement, .throughput, .readyWait] + Metric.referenceLoops)
    }
  }
}
