// What a value costs as there is more of something: by instructions, which have to be flat, and by time beside them.

import Gauge
import GenericChains
import Weir

extension Set<LaunchRequest.Pass> {
  /// Instructions, and the time beside them.
  fileprivate static let timeAndCounts: Set = [.time, .counts]
}

@BenchmarkBuilder var scalingBenchmarks: [Benchmark] {
  // Operations are fewer the more one of them does.
  Benchmark("scaling/subscribers", over: .values("sinks", [1, 10, 100, 1000, 10_000, 100_000]), passes: .timeAndCounts)
  {
    run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sinks = (0..<run["sinks"]).map { _ in subject.sink { blackHole($0) } }
    run.elements = sinks.count
    run.countedOperations = max(1, 100_000 / sinks.count)
    measureSends(to: subject, run)
    withExtendedLifetime(sinks) {}
  }

  Benchmark("scaling/subscribe-cancel", over: .values("others", [0, 1000, 100_000]), passes: .timeAndCounts) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let others = (0..<run["others"]).map { _ in subject.sink { blackHole($0) } }
    run.measure { subject.sink { blackHole($0) }.cancel() }
    withExtendedLifetime(others) {}
  }

  // One value through the next of the inner streams.
  Benchmark("scaling/live-inners", over: .values("inners", [1, 100, 10_000, 100_000]), passes: .timeAndCounts) { run in
    let open = OpenInners(run["inners"])
    open.measureSends(run)
    open.sink.cancel()
  }

  // One value to a stream of that many.
  Benchmark("scaling/inner-values", over: .values("values", [1, 1000, 1_000_000]), passes: .timeAndCounts) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let inner = opaque(Array(0..<run["values"]))
    let sink = subject.flatMap { _ in inner.publisher }.sink { blackHole($0) }
    run.elements = inner.count
    run.countedOperations = max(1, 1000 / inner.count)
    measureSends(to: subject, run)
    sink.cancel()
  }

  Benchmark("scaling/merge-many", over: .values("streams", [2, 100, 10_000]), passes: .timeAndCounts) { run in
    let subjects = (0..<run["streams"]).map { _ in PassthroughSubject<Int, Never>() }
    let sink = Publishers.MergeMany(subjects).sink { blackHole($0) }
    let first = opaque(subjects[0])
    measureSends(to: first, run)
    sink.cancel()
  }

  // As many values as there is room for come while nobody asks, then all are asked for.
  Benchmark("scaling/buffer", over: .values("size", [16, 1024, 65_536, 1_000_000]), passes: .timeAndCounts) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let size = run["size"]
    let consumer = Consumer<Int, Never>()
    subject.buffer(size: size, prefetch: .byRequest, whenFull: .dropNewest).subscribe(consumer)
    run.elements = size
    run.countedOperations = max(1, 65_536 / size)
    run.measure {
      for value in 0..<size { subject.send(value) }
      consumer.subscription?.request(.max(size))
    }
    consumer.subscription?.cancel()
  }

  // Values of one side wait for those of the other.
  Benchmark("scaling/zip-surplus", over: .values("values", [1, 1000, 100_000]), passes: .timeAndCounts) { run in
    let (left, right) = (opaque(PassthroughSubject<Int, Never>()), opaque(PassthroughSubject<Int, Never>()))
    let sink = left.zip(right).sink { blackHole($0) }
    let values = run["values"]
    run.elements = values
    run.countedOperations = max(1, 1000 / values)
    run.measure {
      for value in 0..<values { left.send(value) }
      for value in 0..<values { right.send(value) }
    }
    sink.cancel()
  }

  // Operators after each other, each erased.
  Benchmark("scaling/chain-erased", over: .values("operators", [1, 5, 10, 20, 50, 100]), passes: .timeAndCounts) {
    run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    var stream = subject.eraseToAnyPublisher()
    for _ in 0..<run["operators"] { stream = stream.map { $0 &+ 1 }.eraseToAnyPublisher() }
    let sink = stream.sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // Operators after each other, every type known.
  chain("scaling/chain-10", passes: .timeAndCounts, ofErased: [.counts], ChainOfTen())
  chain("scaling/chain-20", passes: .timeAndCounts, ofErased: [.counts], ChainOfTwenty())
  chain("scaling/chain-40", passes: .timeAndCounts, ofErased: [.counts], ChainOfForty())
  chain("scaling/chain-50", passes: .timeAndCounts, ofErased: [.counts], ChainOfFifty())
  chain(
    "scaling/chain-50/erased-halfway", passes: .timeAndCounts, ofErased: [.counts], ChainOfFiftyInHalves())
}

/// Ten operators that don't merge.
@inline(__always)
private func ten(_ upstream: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  let four = upstream.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
  let eight = four.map { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &+ 1 }.filter { $0 != 0 }
  return eight.map { $0 &+ 1 }.filter { $0 != 0 }
}

private struct ChainOfTen: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    ten(upstream).subscribe(downstream)
  }
}

private struct ChainOfTwenty: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    ten(ten(upstream)).subscribe(downstream)
  }
}

private struct ChainOfForty: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    ten(ten(ten(ten(upstream)))).subscribe(downstream)
  }
}

private struct ChainOfFifty: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    ten(ten(ten(ten(ten(upstream))))).subscribe(downstream)
  }
}

/// The compiler gives up on types as deep as fifty operators; erased halfway, no type is.
private struct ChainOfFiftyInHalves: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    ten(ten(ten(ten(ten(upstream)).eraseToAnyPublisher()))).subscribe(downstream)
  }
}
