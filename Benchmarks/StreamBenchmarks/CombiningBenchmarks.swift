// Operators that make one stream of several.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var combiningBenchmarks: [Benchmark] {
  chain("combining/zip", ZipTwo())
  chain("combining/zip-4", passes: .exact, ZipFour())
  chain("combining/combine-latest", CombineLatestTwo())
  chain("combining/combine-latest-4", passes: .exact, CombineLatestFour())
  chain("combining/combine-latest-4/nested-7", passes: .exact, CombineLatestNested())
  chain("combining/merge", MergeTwo())
  chain("combining/merge-8", passes: .exact, MergeEight())
  chain("combining/merge-many", MergeTwenty())

  // A thousand values of one side wait for those of the other.
  Benchmark(
    "combining/zip/surplus", over: .values("values", [1000]), passes: .withoutLatency, limit: "limit/ring-buffer"
  ) { run in
    let (left, right) = (opaque(PassthroughSubject<Int, Never>()), opaque(PassthroughSubject<Int, Never>()))
    let sink = left.zip(right).sink { blackHole($0) }
    let values = run["values"]
    run.elements = values
    run.countedOperations = 20
    run.measure {
      for value in 0..<values { left.send(value) }
      for value in 0..<values { right.send(value) }
    }
    sink.cancel()
  }
}

/// The other stream sends as often as the first. It sends bytes: the compiler would merge the functions of a second zip
/// of integers with those of `chain/zip`, and both would cost eight instructions more.
private struct ZipTwo: BenchmarkedChain {
  let other = PassthroughSubject<UInt8, Never>()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.zip(other) { $0 &+ Int($1) }.subscribe(downstream)
  }

  func settle() { other.send(1) }
}

/// The other streams send as often as the first.
private struct ZipFour: BenchmarkedChain {
  let second = PassthroughSubject<Int, Never>()
  let third = PassthroughSubject<Int, Never>()
  let fourth = PassthroughSubject<Int, Never>()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.zip(second, third, fourth) { $0 &+ $1 &+ $2 &+ $3 }.subscribe(downstream)
  }

  func settle() {
    second.send(1)
    third.send(1)
    fourth.send(1)
  }
}

private struct CombineLatestTwo: BenchmarkedChain {
  let other = CurrentValueSubject<Int, Never>(1)

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.combineLatest(other) { $0 &+ $1 }.subscribe(downstream)
  }
}

private struct CombineLatestFour: BenchmarkedChain {
  let other = CurrentValueSubject<Int, Never>(1)

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.combineLatest(other, other, other) { $0 &+ $1 &+ $2 &+ $3 }.subscribe(downstream)
  }
}

private struct CombineLatestNested: BenchmarkedChain {
  let other = CurrentValueSubject<Int, Never>(1)

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    var stream = upstream.eraseToAnyPublisher()
    for _ in 0..<7 {
      stream = stream.combineLatest(other, other, other) { $0 &+ $1 &+ $2 &+ $3 }.eraseToAnyPublisher()
    }
    stream.subscribe(downstream)
  }
}

private struct MergeTwo: BenchmarkedChain {
  let other = PassthroughSubject<Int, Never>()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.merge(with: other).subscribe(downstream)
  }
}

private struct MergeEight: BenchmarkedChain {
  let other = PassthroughSubject<Int, Never>()

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.merge(with: other, other, other, other, other, other, other).subscribe(downstream)
  }
}

private struct MergeTwenty: BenchmarkedChain {
  let others = (0..<19).map { _ in PassthroughSubject<Int, Never>().eraseToAnyPublisher() }

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    Publishers.MergeMany([upstream.eraseToAnyPublisher()] + others).subscribe(downstream)
  }
}
