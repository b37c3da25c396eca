// Sequences under demand, one subscription for all: each operation asks for a thousand values more. Operators are spelt
// as types, since on a sequence `map`, `filter` and `scan` are applied at once.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var sequenceBenchmarks: [Benchmark] {
  Benchmark(
    "chain/sequence-map-filter", over: .values("elements", [1000]), passes: .withoutLatency,
    limit: "limit/loop-map-filter"
  ) { run in
    let mapped = Publishers.Map(upstream: opaque(0..<Int.max).publisher) { $0 &+ 1 }
    let filtered = Publishers.Filter(upstream: mapped) { $0 != 0 }
    try measureRequests(of: run["elements"], elements: run["elements"], to: filtered, run)
  }

  Benchmark(
    "chain/sequence-map-filter/erased-ends", over: .values("elements", [1000]), passes: .withoutLatency,
    limit: "limit/loop-map-filter"
  ) { run in
    let publisher = opaque(0..<Int.max).publisher.eraseToAnyPublisher()
      .map { $0 &+ 1 }.filter { $0 != 0 }.eraseToAnyPublisher()
    try measureRequests(of: run["elements"], elements: run["elements"], to: publisher, run)
  }

  Benchmark(
    "chain/sequence-map-filter/generic", over: .values("elements", [1000]), passes: [.counts],
    limit: "limit/loop-map-filter"
  ) { run in
    let elements = run["elements"]
    try measureRequests(of: elements, elements: elements, run) {
      connect(MapFilter(), from: opaque(0..<Int.max).publisher, to: $0)
    }
  }

  // One value at a time.
  Benchmark(
    "chain/sequence-map-filter/one-at-a-time", passes: .withoutLatency, limit: "limit/closure-call"
  ) { run in
    let mapped = Publishers.Map(upstream: opaque(0..<Int.max).publisher) { $0 &+ 1 }
    let filtered = Publishers.Filter(upstream: mapped) { $0 != 0 }
    try measureRequests(of: 1, elements: 1, to: filtered, run)
  }

  // Ten arrays of a hundred.
  Benchmark(
    "chain/sequence-scan-collect", over: .values("elements", [1000]), passes: .withoutLatency,
    limit: "limit/loop-map-filter"
  ) { run in
    let scanned = Publishers.Scan(upstream: opaque(0..<Int.max).publisher, initialResult: 0) { $0 &+ $1 }
    try measureRequests(of: run["elements"] / 100, elements: run["elements"], to: scanned.collect(100), run)
  }

  // Subscribes per operation: a thousand values to a sink, from the beginning to the end.
  Benchmark(
    "chain/sequence-sink", over: .values("elements", [1000]), passes: .withoutLatency, limit: "limit/loop-map-filter"
  ) { run in
    let elements = opaque(Array(0..<run["elements"]))
    run.elements = elements.count
    run.measure { elements.publisher.sink { blackHole($0) }.cancel() }
  }
}

private struct MapFilter: Chain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    Publishers.Filter(upstream: Publishers.Map(upstream: upstream) { $0 &+ 1 }) { $0 != 0 }.subscribe(downstream)
  }
}
