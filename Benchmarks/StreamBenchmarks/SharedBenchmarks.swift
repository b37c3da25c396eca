// What values cost once a second thread has sent: gates are entered and left by atomic operations from then on.
//
// Each row has the name and the parameters of the row that it repeats, and its body but for `share`.

import Gauge
import GenericChains
import Weir

private let atomics = "limit/two-compare-exchanges"

@BenchmarkBuilder var sharedBenchmarks: [Benchmark] {
  Benchmark(
    "subject/passthrough/send/shared", over: .values("sinks", [1, 10, 100, 1000]), passes: .withoutLatency,
    limit: atomics
  ) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sinks = (0..<run["sinks"]).map { _ in subject.sink { blackHole($0) } }
    share { subject.send(0) }
    run.elements = sinks.count
    measureSends(to: subject, run)
    withExtendedLifetime(sinks) {}
  }
  Benchmark("subject/current-value/send/shared", over: .values("sinks", [1]), passes: .withoutLatency, limit: atomics) {
    run in
    let subject = opaque(CurrentValueSubject<Int, Never>(0))
    let sink = subject.sink { blackHole($0) }
    share { subject.send(0) }
    measureSends(run) { subject.send($0) }
    sink.cancel()
  }
  Benchmark(
    "subject/passthrough/subscribe-cancel/shared", over: .values("others", [0, 10_000]), passes: .withoutLatency,
    limit: atomics
  ) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let others = (0..<run["others"]).map { _ in subject.sink { blackHole($0) } }
    share { subject.sink { blackHole($0) }.cancel() }
    run.measure { subject.sink { blackHole($0) }.cancel() }
    withExtendedLifetime(others) {}
  }
  Benchmark("subject/share/shared", over: .values("sinks", [2]), passes: .withoutLatency, limit: atomics) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let stream = subject.map { $0 &+ 1 }.share()
    let sinks = (0..<run["sinks"]).map { _ in stream.sink { blackHole($0) } }
    share { subject.send(0) }
    run.elements = sinks.count
    measureSends(to: subject, run)
    withExtendedLifetime(sinks) {}
  }

  sharedChain("chain/map-filter-map", MapFilterMap())
  sharedChain("chain/map-10", MapTen())
  sharedChain("chain/erased-5", ErasedFive())
  sharedChain("flatmap/just", FlatMapJust())
  Benchmark("chain/zip/shared", passes: .withoutLatency, limit: atomics) { run in
    measurePairs(run, isShared: true)
  }

  Benchmark(
    "flatmap/sequence/shared", over: .values("max-publishers", ["4", "unlimited"]), passes: .withoutLatency,
    limit: atomics
  ) { run in
    let limit = Subscribers.Demand(named: run[text: "max-publishers"])
    let subject = opaque(PassthroughSubject<Int, Never>())
    let inner = opaque(Array(0..<10))
    let sink = subject.flatMap(maxPublishers: limit) { _ in inner.publisher }.sink { blackHole($0) }
    share { subject.send(0) }
    run.elements = inner.count
    measureSends(to: subject, run)
    sink.cancel()
  }
  Benchmark(
    "flatmap/live-inners/shared", over: .values("inners", [10, 100, 10_000]), passes: .withoutLatency, limit: atomics
  ) { run in
    let open = OpenInners(run["inners"])
    share { for inner in open.inners { inner.send(0) } }
    open.measureSends(run)
    open.sink.cancel()
  }
  Benchmark("flatmap/switch-to-latest/switch/shared", passes: .withoutLatency, limit: atomics) { run in
    measureSwitches(run, isShared: true)
  }

  Benchmark(
    "buffer/through/shared", over: .values("size", [1024]), .values("when-full", ["drop-oldest"]),
    passes: .withoutLatency, limit: atomics
  ) { run in
    let subject = opaque(PassthroughSubject<Int, BufferFull>())
    let sink = subject.buffer(run).sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
    share { subject.send(0) }
    measureSends(run) { subject.send($0) }
    sink.cancel()
  }
  Benchmark(
    "buffer/fill-drain/shared", over: .values("size", [1024]), .values("when-full", ["drop-newest"]),
    passes: .withoutLatency, limit: atomics
  ) { run in
    try measureFillAndDrain(run, isShared: true)
  }
  Benchmark(
    "buffer/overflow/shared", over: .values("size", [1024]), .values("when-full", ["drop-newest", "drop-oldest"]),
    passes: .withoutLatency, limit: atomics
  ) { run in
    let buffered = try Buffered(run)
    for value in 0..<run["size"] { buffered.subject.send(value) }
    share { buffered.subject.send(0) }
    measureSends(run) { buffered.subject.send($0) }
    buffered.subscription.request(.unlimited)
    try WrongResult.check(buffered.consumer.count, expected: run["size"])
  }
  Benchmark(
    "buffer/keep-full/shared", over: .values("size", [1024]), .values("request", [1, 1000]), passes: .withoutLatency,
    limit: atomics
  ) { run in try measureKeptFull(run, isShared: true) }
}

/// The shared form of a chain.
private func sharedChain<Links: BenchmarkedChain>(
  _ name: String, _ make: @autoclosure @escaping () -> Links
) -> Benchmark {
  Benchmark(name + "/shared", passes: .withoutLatency, limit: atomics) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = Subscribers.Sink<Links.Output, Links.Failure>(
      receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
    make().connect(subject, to: sink)
    share { subject.send(0) }
    measureSends(to: subject, run)
    sink.cancel()
  }
}
