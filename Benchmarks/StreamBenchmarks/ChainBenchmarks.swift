// Chains of operators under a subject.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var chainBenchmarks: [Benchmark] {
  chain("chain/map-filter-map", passes: .all, ofErased: .withoutLatency, openLoopRate: sendRate, MapFilterMap())
  chain("chain/map-filter-5", MapFilterFive())
  // The scenario of RxSwift's benchmarks.
  chain("chain/map-filter-6", MapFilterSix())
  chain("chain/map-1", MapOne())
  chain("chain/map-10", MapTen())
  chain("chain/erased-5", passes: .all, openLoopRate: sendRate, ErasedFive())
  chain("chain/erased-5/typed", StatefulFour())
  chain("chain/receive-on-immediate", ReceiveOnImmediate())

  // One value from each side makes a pair.
  Benchmark("chain/zip", openLoopRate: sendRate, limit: "limit/closure-call") { run in measurePairs(run) }

  // Subscribes per operation: the making of a long chain, and its end.
  Benchmark("chain/map-filter-6/create", passes: .withoutLatency) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    run.measure {
      let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
      MapFilterSix().connect(subject, to: sink)
      sink.cancel()
    }
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

/// Measures one value from each of two subjects, which make a pair.
@inline(__always)
func measurePairs(_ run: BenchmarkRun, isShared: Bool = false) {
  let (left, right) = (opaque(PassthroughSubject<Int, Never>()), opaque(PassthroughSubject<Int, Never>()))
  let sink = left.zip(right).sink { blackHole($0) }
  if isShared {
    share {
      left.send(0)
      right.send(0)
    }
  }
  var value = 0
  run.measure {
    value &+= 1
    left.send(value)
    right.send(value)
  }
  sink.cancel()
}

struct MapFilterMap: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.map { $0 &+ 1 }.filter { $0 & 1 != 0 }.map { $0 &* 3 }.subscribe(downstream)
  }
}

/// Ten stages that don't merge: a map after a map is composed into one, a map after a filter is not.
private struct MapFilterFive: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    let four = upstream.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    let eight = four.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    eight.map { $0 &+ 1 }.filter { $0 != 0 }.subscribe(downstream)
  }
}

private struct MapFilterSix: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    let four = upstream.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    let eight = four.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
    eight.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }.subscribe(downstream)
  }
}

private struct MapOne: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.map { $0 &+ 1 }.subscribe(downstream)
  }
}

struct MapTen: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    let five = upstream.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }
    five.map { $0 &+ 6 }.map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }.subscribe(downstream)
  }
}

/// Five erasures with operators between them, three of which keep state.
struct ErasedFive: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.eraseToAnyPublisher()
      .map { $0 &+ 1 }.eraseToAnyPublisher()
      .scan(0) { $0 &+ $1 }.eraseToAnyPublisher()
      .removeDuplicates().eraseToAnyPublisher()
      .compactMap { $0 == 0 ? nil : $0 }.eraseToAnyPublisher()
      .subscribe(downstream)
  }
}

/// The same operators without erasure.
private struct StatefulFour: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }.removeDuplicates().compactMap { $0 == 0 ? nil : $0 }
      .subscribe(downstream)
  }
}

/// To a scheduler that runs at once.
private struct ReceiveOnImmediate: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.receive(on: ImmediateScheduler.shared).subscribe(downstream)
  }
}
