// Declarations of benchmarks.

import Testing

@testable import Gauge

@Suite struct BenchmarkTests {
  private func nothing() async {}

  @Test func aSynchronousBodyIsSynchronous() {
    let benchmark = Benchmark("a/b") { run in run.measure {} }
    guard case .synchronous = benchmark.body else {
      Issue.record("the body is not synchronous")
      return
    }
    #expect(benchmark.name == "a/b")
    #expect(benchmark.axes.isEmpty)
    #expect(benchmark.threads == .single)
    #expect(benchmark.passes == Set(LaunchRequest.Pass.allCases).subtracting([.openLatency, .custom, .profile]))
    #expect(benchmark.tags.isEmpty && benchmark.metrics.isEmpty)
    #expect(benchmark.openLoopRate == nil && benchmark.limit == nil)
  }

  @Test func theOpenLoopIsMeasuredWhereThereIsARate() {
    #expect(Benchmark("a", passes: [.time], openLoopRate: 1000) { _ in }.passes == [.time, .openLatency])
    #expect(Benchmark("a", passes: [.time, .openLatency]) { _ in }.passes == [.time])
    let awaiting = Benchmark("a", openLoopRate: 10, limit: "b") { run in await run.measure { await Task.yield() } }
    #expect(awaiting.passes == Set(LaunchRequest.Pass.allCases).subtracting([.custom, .profile]))
    #expect(awaiting.openLoopRate == 10 && awaiting.limit == "b")
  }

  @Test func ownMetricsAreMeasuredInAPassOfTheirOwn() {
    let metric = Metric("hits", unit: "1")
    let benchmark = Benchmark("a", passes: [.time], tags: ["x"], metrics: [metric]) { $0.measure {} }
    #expect(benchmark.passes == [.time, .custom])
    #expect(benchmark.metrics == [metric])
    #expect(benchmark.tags == ["x"])
    #expect(Benchmark("a", passes: [.custom]) { _ in }.passes.isEmpty)
  }

  @Test func aThrowingBodyOfSeveralStatementsIsSynchronous() {
    let benchmark = Benchmark("a", over: .values("n", [1]), .values("s", ["x"]), threads: .several, passes: [.time]) {
      run in
      let count = run["n"]
      guard count > 0 else { throw BenchmarkSkipped("nothing to do") }
      run.measure { count }
    }
    guard case .synchronous = benchmark.body else {
      Issue.record("the body is not synchronous")
      return
    }
    #expect(benchmark.axes == [.values("n", [1]), .values("s", ["x"])])
    #expect(benchmark.threads == .several)
    #expect(benchmark.passes == [.time])
  }

  @Test func anAwaitingBodyIsAsynchronousAndHasSeveralThreads() {
    let benchmark = Benchmark("a") { run in await run.measure { await Task.yield() } }
    guard case .asynchronous = benchmark.body else {
      Issue.record("the body is not asynchronous")
      return
    }
    #expect(benchmark.threads == .several)
  }
}
