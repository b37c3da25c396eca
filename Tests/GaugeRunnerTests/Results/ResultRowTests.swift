// Names and order of rows, and the environment of results.

import Testing

@testable import GaugeRunner

@Suite struct ResultRowTests {
  @Test func `a benchmark is titled with its parameters, if it has any`() {
    #expect(ResultRow.sample("a/b").key.title == "a/b")
    #expect(ResultRow.sample("a/b", parameters: "n=1;m=2").key.title == "a/b[n=1;m=2]")
    #expect(BenchmarkFault(benchmark: "a", parameters: "", reason: "", output: "").title == "a")
    #expect(BenchmarkFault(benchmark: "a", parameters: "n=1", reason: "", output: "").title == "a[n=1]")
  }

  @Test func `keys are ordered by benchmark, parameters and metric`() {
    let keys = [
      ResultRow.sample("a", metric: .allocations).key, ResultRow.sample("a", metric: .time).key,
      ResultRow.sample("a", parameters: "n=1", metric: .allocations).key, ResultRow.sample("b").key,
    ]
    #expect(keys.reversed().sorted() == keys)
  }

  @Test func `launches of one benchmark and metric share a key`() {
    #expect(ResultRow.sample(launch: 0).key == ResultRow.sample(launch: 1, sequence: 9, .value(3)).key)
  }

  @Test func `the environment is found by name`() {
    var results = Results()
    results.environment = [("commit", "abc"), ("kernel", "6")]
    #expect(results.environment("kernel") == "6")
    #expect(results.environment("libc") == nil)
  }
}
