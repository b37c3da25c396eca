// Publishers that streams begin with: each operation subscribes a sink to one, which ends at once; as it is, erased,
// and by another module's generic code.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var originBenchmarks: [Benchmark] {
  origin("origin/just") { Just($0) }
  origin("origin/empty") { _ in Empty<Int, Never>() }
  origin("origin/optional") { Optional($0).publisher }
  origin("origin/result") { Result<Int, Never>.success($0).publisher }
  origin("origin/sequence") { [$0].publisher }
  origin("origin/deferred") { value in Deferred { Just(value) } }
  origin("origin/future") { value in Future<Int, Never> { $0(.success(value)) } }
  origin("origin/record") { value in Record<Int, Never>(output: [value], completion: .finished) }

  Benchmark("origin/fail", passes: .withoutLatency) { run in
    let failing = opaque(Fail<Int, Failed>(error: Failed()))
    run.measure { failing.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) }).cancel() }
  }
}

private struct Failed: Error {}

@BenchmarkBuilder
private func origin<P: Publisher<Int, Never>>(_ name: String, _ make: @escaping (Int) -> P) -> [Benchmark] {
  Benchmark(name, passes: .withoutLatency) { run in
    measureMaking(run) { make($0).sink { blackHole($0) } }
  }
  Benchmark(name + "/erased", passes: .exact) { run in
    measureMaking(run) { make($0).eraseToAnyPublisher().sink { blackHole($0) } }
  }
  Benchmark(name + "/generic", passes: [.counts]) { run in
    measureMaking(run) { sink(make($0)) { blackHole($0) } }
  }
}

/// Measures making a stream of a changing value, and its end.
@inline(__always)
private func measureMaking(_ run: BenchmarkRun, _ subscribe: (Int) -> AnyCancellable) {
  var value = 0
  run.measure {
    value &+= 1
    subscribe(value).cancel()
  }
}
