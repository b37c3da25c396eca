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

  // A sequence under demand, one subscription for all: each operation asks for a thousand values more. The operators are
  // spelt as types, since on a sequence `map` and `filter` are applied at once.
  Benchmark("chain/sequence-map-filter", over: .values("elements", [1000])) { run in
    let mapped = Publishers.Map(upstream: opaque(0..<Int.max).publisher) { $0 &+ 1 }
    measureRequests(of: run["elements"], to: Publishers.Filter(upstream: mapped) { $0 != 0 }, run)
  }

  Benchmark("chain/sequence-map-filter/erased-ends", over: .values("elements", [1000])) { run in
    let publisher = opaque(0..<Int.max).publisher.eraseToAnyPublisher()
      .map { $0 &+ 1 }.filter { $0 != 0 }.eraseToAnyPublisher()
    measureRequests(of: run["elements"], to: publisher, run)
  }
}

/// Measures asking a subscription for a number of values, which arrive before the call returns.
@inline(__always)
private func measureRequests<P: Publisher>(of count: Int, to publisher: P, _ run: BenchmarkRun) where P.Output == Int {
  let consumer = Consumer<P.Failure>()
  publisher.subscribe(consumer)
  guard let subscription = consumer.subscription else { return }
  run.elements = count
  run.measure { subscription.request(.max(count)) }
  subscription.cancel()
}

/// Takes what it is given and asks for nothing by itself.
private final class Consumer<Failure: Error>: Subscriber {
  private(set) var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Int) -> Subscribers.Demand {
    blackHole(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {}
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
