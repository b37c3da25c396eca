// Publishers that streams begin with: each operation subscribes a sink to one, which ends at once.

import Gauge
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
  origin("origin/any-publisher") { Just($0).eraseToAnyPublisher() }

  Benchmark("origin/fail", passes: .withoutLatency) { run in
    let failing = opaque(Fail<Int, Failed>(error: Failed()))
    run.measure { failing.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) }).cancel() }
  }
}

private struct Failed: Error {}

private func origin<P: Publisher<Int, Never>>(_ name: String, _ make: @escaping (Int) -> P) -> Benchmark {
  Benchmark(name, passes: .withoutLatency) { run in
    var value = 0
    run.measure {
      value &+= 1
      make(value).sink { blackHole($0) }.cancel()
    }
  }
}
