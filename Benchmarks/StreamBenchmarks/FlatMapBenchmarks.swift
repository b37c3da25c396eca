// Streams of streams: many inner streams into one sink, as flatMap, switchToLatest and merge do it.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var flatMapBenchmarks: [Benchmark] {
  // Each operation sends one value, which becomes ten. Subscribes to one inner sequence per operation.
  Benchmark(
    "flatmap/sequence", over: .values("max-publishers", ["1", "4", "unlimited"]), openLoopRate: sendRate,
    limit: "limit/closure-call"
  ) { run in
    let limit = Subscribers.Demand(named: run[text: "max-publishers"])
    let subject = opaque(PassthroughSubject<Int, Never>())
    let inner = opaque(Array(0..<10))
    let sink = subject.flatMap(maxPublishers: limit) { _ in inner.publisher }.sink { blackHole($0) }
    run.elements = inner.count
    measureSends(to: subject, run)
    sink.cancel()
  }

  // Subscribe to one inner stream of one value per operation.
  chain("flatmap/just", FlatMapJust())
  chain("flatmap/erased-just", FlatMapErasedJust())
  chain("flatmap/switch-to-latest/just", SwitchToJust())
  // The scenarios of RxSwift's benchmarks.
  chain("flatmap/nested-5", FlatMapFive())
  chain("flatmap/switch-to-latest/nested-5", SwitchFive())

  // Subscribe per operation: the making of such a chain, and its end.
  Benchmark("flatmap/nested-5/create", passes: .withoutLatency) { run in
    measureCreation(of: FlatMapFive(), run)
  }
  Benchmark("flatmap/switch-to-latest/nested-5/create", passes: .withoutLatency) { run in
    measureCreation(of: SwitchFive(), run)
  }

  // One value through one of many inner subjects that stay open, each in its turn.
  Benchmark(
    "flatmap/live-inners", over: .values("inners", [10, 100, 10_000]), openLoopRate: sendRate,
    limit: "limit/closure-call"
  ) { run in
    let open = OpenInners(run["inners"])
    open.measureSends(run)
    open.sink.cancel()
  }

  // As many live inner subjects as may be open at once; one value through each in its turn.
  Benchmark(
    "flatmap/live-inners/max-publishers", over: .values("max-publishers", [1, 4]), passes: .withoutLatency,
    limit: "limit/closure-call"
  ) { run in
    let open = OpenInners(run["max-publishers"], maxPublishers: .max(run["max-publishers"]))
    open.measureSends(run)
    open.sink.cancel()
  }

  // A value through the subject that is the newest stream.
  Benchmark("flatmap/switch-to-latest/value", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let inner = opaque(PassthroughSubject<Int, Never>())
    let outer = opaque(PassthroughSubject<PassthroughSubject<Int, Never>, Never>())
    let sink = outer.switchToLatest().sink { blackHole($0) }
    outer.send(inner)
    measureSends(to: inner, run)
    sink.cancel()
  }

  // Subscribes per operation: switches to the other of two subjects, and sends one value through it.
  Benchmark("flatmap/switch-to-latest/switch", openLoopRate: sendRate) { run in measureSwitches(run) }

  Benchmark("flatmap/merge", over: .values("streams", [2]), passes: .withoutLatency, limit: "limit/closure-call") {
    run in
    let subjects = (opaque(PassthroughSubject<Int, Never>()), opaque(PassthroughSubject<Int, Never>()))
    let sink = subjects.0.merge(with: subjects.1).sink { blackHole($0) }
    run.elements = 2
    var value = 0
    run.measure {
      value &+= 1
      subjects.0.send(value)
      subjects.1.send(value)
    }
    sink.cancel()
  }
}

/// Measures switches to the other of two subjects, with one value through it each time.
@inline(__always)
func measureSwitches(_ run: BenchmarkRun, isShared: Bool = false) {
  let inners = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let outer = opaque(PassthroughSubject<PassthroughSubject<Int, Never>, Never>())
  let sink = outer.switchToLatest().sink { blackHole($0) }
  if isShared {
    share {
      for inner in [inners.0, inners.1] {
        outer.send(inner)
        inner.send(0)
      }
    }
  }
  var value = 0
  run.measure {
    value &+= 1
    let inner = value & 1 == 0 ? inners.0 : inners.1
    outer.send(inner)
    inner.send(value)
  }
  sink.cancel()
}

/// A number of subjects that a flatMap holds open.
final class OpenInners {
  let inners: [PassthroughSubject<Int, Never>]
  let sink: AnyCancellable

  init(_ count: Int, maxPublishers: Subscribers.Demand = .unlimited) {
    let inners = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
    self.inners = inners
    let outer = PassthroughSubject<Int, Never>()
    sink = outer.flatMap(maxPublishers: maxPublishers) { inners[$0] }.sink { blackHole($0) }
    for number in 0..<count { outer.send(number) }
    withExtendedLifetime(outer) {}
    // Each gate learns from its first sends that they come from one thread.
    for inner in inners { for value in 0..<100 { inner.send(value) } }
  }

  /// Measures one send through the next of the inner subjects.
  @inline(__always)
  func measureSends(_ run: BenchmarkRun) {
    var next = 0
    var value = 0
    run.measure {
      value &+= 1
      inners[next].send(value)
      next &+= 1
      if next == inners.count { next = 0 }
    }
  }
}

extension Subscribers.Demand {
  /// A demand by its number, or `unlimited`.
  init(named name: String) {
    self = Int(name).map { .max($0) } ?? .unlimited
  }
}

struct FlatMapJust: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.flatMap { Just($0) }.subscribe(downstream)
  }
}

private struct FlatMapErasedJust: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.flatMap { Just($0).eraseToAnyPublisher() }.subscribe(downstream)
  }
}

private struct SwitchToJust: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.map { Just($0) }.switchToLatest().subscribe(downstream)
  }
}

private struct FlatMapFive: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.flatMap { Just($0) }.flatMap { Just($0) }.flatMap { Just($0) }.flatMap { Just($0) }.flatMap { Just($0) }
      .subscribe(downstream)
  }
}

private struct SwitchFive: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    let two = upstream.map { Just($0) }.switchToLatest().map { Just($0) }.switchToLatest()
    let four = two.map { Just($0) }.switchToLatest().map { Just($0) }.switchToLatest()
    four.map { Just($0) }.switchToLatest().subscribe(downstream)
  }
}

/// Measures the making of a chain between a subject and a sink, and its end.
@inline(__always)
private func measureCreation<Links: Chain>(of chain: Links, _ run: BenchmarkRun)
where Links.Output == Int, Links.Failure == Never {
  let subject = opaque(PassthroughSubject<Int, Never>())
  run.measure {
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
    chain.connect(subject, to: sink)
    sink.cancel()
  }
}
