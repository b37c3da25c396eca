// Operators that deal with errors: what a value costs that is none, and what a failure costs.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var errorBenchmarks: [Benchmark] {
  chain("errors/catch", Catch())
  chain("errors/try-catch", passes: .exact, TryCatch())
  chain("errors/retry", Retry())
  chain("errors/map-error", passes: .exact, MapError())
  chain("errors/replace-error", ReplaceError())
  chain("errors/assert-no-failure", passes: .exact, AssertNoFailure())

  // Subscribes per operation: to a stream that fails at once, and to the one that takes its place.
  Benchmark("errors/failure/catch", passes: .withoutLatency) { run in
    let failing = opaque(Fail<Int, Wrong>(error: Wrong()))
    run.measure { failing.catch { _ in Just(1) }.sink { blackHole($0) }.cancel() }
  }

  // Subscribes per operation: to a stream that fails ten times.
  Benchmark("errors/failure/retry", over: .values("retries", [10]), passes: .withoutLatency) { run in
    let failing = opaque(Fail<Int, Wrong>(error: Wrong()))
    let retries = run["retries"]
    run.elements = retries
    run.measure { failing.retry(retries).replaceError(with: 0).sink { blackHole($0) }.cancel() }
  }
}

private struct Wrong: Error {}

private struct Catch: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.setFailureType(to: Wrong.self).catch { _ in Just(0) }.subscribe(downstream)
  }
}

private struct TryCatch: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.setFailureType(to: Wrong.self).tryCatch { _ in Just(0) }.subscribe(downstream)
  }
}

private struct Retry: BenchmarkedChain {
  typealias Failure = Wrong

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Wrong>) {
    upstream.setFailureType(to: Wrong.self).retry(3).subscribe(downstream)
  }
}

private struct MapError: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.setFailureType(to: Wrong.self).mapError { $0 as any Error }.subscribe(downstream)
  }
}

private struct ReplaceError: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.setFailureType(to: Wrong.self).replaceError(with: 0).subscribe(downstream)
  }
}

private struct AssertNoFailure: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.setFailureType(to: Wrong.self).assertNoFailure().subscribe(downstream)
  }
}
