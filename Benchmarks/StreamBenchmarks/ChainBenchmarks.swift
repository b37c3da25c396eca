// Chains of operators under a subject, typed and erased.

import Gauge
import Weir

@BenchmarkBuilder var chainBenchmarks: [Benchmark] {
  Benchmark("chain/map-filter-map", openLoopRate: sendRate, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.map { $0 &+ 1 }.filter { $0 & 1 != 0 }.map { $0 &* 3 }.sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // The same chain, its type hidden between subject and operators and again before the sink.
  Benchmark("chain/map-filter-map/erased-ends", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.eraseToAnyPublisher()
      .map { $0 &+ 1 }.filter { $0 & 1 != 0 }.map { $0 &* 3 }.eraseToAnyPublisher()
      .sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // Ten stages that don't merge: a map after a map is composed into one, a map after a filter is not.
  Benchmark("chain/map-filter-5", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let four = subject.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    let eight = four.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    let sink = eight.map { $0 &+ 1 }.filter { $0 != 0 }.sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  Benchmark("chain/map-1", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.map { $0 &+ 1 }.sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  Benchmark("chain/map-10", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }
      .map { $0 &+ 6 }.map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }
      .sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // Five erasures with operators between them, three of which keep state.
  Benchmark("chain/erased-5", openLoopRate: sendRate, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.eraseToAnyPublisher()
      .map { $0 &+ 1 }.eraseToAnyPublisher()
      .scan(0) { $0 &+ $1 }.eraseToAnyPublisher()
      .removeDuplicates().eraseToAnyPublisher()
      .compactMap { $0 == 0 ? nil : $0 }.eraseToAnyPublisher()
      .sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // The same operators without erasure.
  Benchmark("chain/erased-5/typed", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }.removeDuplicates().compactMap { $0 == 0 ? nil : $0 }
      .sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  Benchmark("chain/try-map", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.tryMap { $0 &+ 1 }.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
    measureSends(to: subject, run)
    sink.cancel()
  }

  // One value from each side makes a pair.
  Benchmark("chain/zip", openLoopRate: sendRate, limit: "limit/closure-call") { run in
    let (left, right) = (opaque(PassthroughSubject<Int, Never>()), opaque(PassthroughSubject<Int, Never>()))
    let sink = left.zip(right).sink { blackHole($0) }
    var value = 0
    run.measure {
      value &+= 1
      left.send(value)
      right.send(value)
    }
    sink.cancel()
  }

  // To a scheduler that runs at once.
  Benchmark("chain/receive-on-immediate", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.receive(on: ImmediateScheduler.shared).sink { blackHole($0) }
    // Its queue grows to its size at first.
    for value in 0..<1000 { subject.send(value) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // Subscribes per operation: the making of a chain, one value through it, and its end.
  Benchmark("chain/just-map-sink", passes: .withoutLatency) { run in
    var value = 0
    run.measure {
      value &+= 1
      // As a type, since `map` on a single value is applied at once.
      Publishers.Map(upstream: Just(opaque(value))) { $0 &+ 1 }.sink { blackHole($0) }.cancel()
    }
  }
}
