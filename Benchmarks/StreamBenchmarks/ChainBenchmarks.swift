// Chains of stateless operators, typed and erased, under a subject and under a sequence.

import Gauge
import Weir

@BenchmarkBuilder var chainBenchmarks: [Benchmark] {
  Benchmark("chain/map-filter-map") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // The same chain, its type hidden between subject and operators and again before the sink.
  Benchmark("chain/map-filter-map/erased-ends") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.eraseToAnyPublisher()
      .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.eraseToAnyPublisher()
      .sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // Ten stages that don't merge: a map after a map is composed into one, a map after a filter is not.
  Benchmark("chain/map-filter-5") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let four = subject.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    let eight = four.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    let sink = eight.map { $0 &+ 1 }.filter { $0 != 0 }.sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  Benchmark("chain/map-10") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }
      .map { $0 &+ 6 }.map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }
      .sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  Benchmark("chain/erased-5") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.map { $0 &+ 1 }.eraseToAnyPublisher().map { $0 &+ 2 }.eraseToAnyPublisher()
      .map { $0 &+ 3 }.eraseToAnyPublisher().map { $0 &+ 4 }.eraseToAnyPublisher()
      .map { $0 &+ 5 }.eraseToAnyPublisher()
      .sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // Erased first, so that map and filter are stages of the chain and not applied to the sequence at once.
  Benchmark("chain/sequence-map-filter", over: .values("elements", [1000])) { run in
    let publisher = opaque(0..<run["elements"]).publisher.eraseToAnyPublisher()
    run.elements = run["elements"]
    run.measure { publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { blackHole($0) } }
  }
}

/// Measures one send of a changing value.
@inline(__always)
private func measureSends(to subject: PassthroughSubject<Int, Never>, _ run: BenchmarkRun) {
  var value = 0
  run.measure {
    value &+= 2
    subject.send(value)
  }
}
