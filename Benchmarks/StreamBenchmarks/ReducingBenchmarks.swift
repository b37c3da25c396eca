// Operators that make one value of all, or find out something about all: what each value costs on the way.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var reducingBenchmarks: [Benchmark] {
  chain("reducing/reduce", Reduce())
  chain("reducing/try-reduce", passes: .exact, TryReduce())
  chain("reducing/count", passes: .exact, Count())
  chain("reducing/max", passes: .exact, Max())
  chain("reducing/last", passes: .exact, Last())
  chain("reducing/ignore-output", passes: .exact, IgnoreOutput())
  chain("reducing/collect-10", CollectTen())
  chain("matching/contains", Contains())
  chain("matching/contains-where", passes: .exact, ContainsWhere())
  chain("matching/all-satisfy", AllSatisfy())
  chain("matching/try-all-satisfy", passes: .exact, TryAllSatisfy())
  chain("matching/first-where", passes: .exact, FirstWhere())
}

private struct Reduce: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.reduce(0) { $0 &+ $1 }.subscribe(downstream)
  }
}

private struct TryReduce: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.tryReduce(0) { $0 &+ $1 }.subscribe(downstream)
  }
}

private struct Count: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.count().subscribe(downstream)
  }
}

private struct Max: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.max().subscribe(downstream)
  }
}

private struct Last: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.last().subscribe(downstream)
  }
}

private struct IgnoreOutput: BenchmarkedChain {
  typealias Output = Never

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Never, Never>) {
    upstream.ignoreOutput().subscribe(downstream)
  }
}

/// One array for ten values: one allocation in ten operations is the least.
private struct CollectTen: BenchmarkedChain {
  typealias Output = [Int]

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<[Int], Never>) {
    upstream.collect(10).subscribe(downstream)
  }
}

private struct Contains: BenchmarkedChain {
  typealias Output = Bool

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Bool, Never>) {
    upstream.contains(-1).subscribe(downstream)
  }
}

private struct ContainsWhere: BenchmarkedChain {
  typealias Output = Bool

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Bool, Never>) {
    upstream.contains { $0 < 0 }.subscribe(downstream)
  }
}

private struct AllSatisfy: BenchmarkedChain {
  typealias Output = Bool

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Bool, Never>) {
    upstream.allSatisfy { $0 >= 0 }.subscribe(downstream)
  }
}

private struct TryAllSatisfy: BenchmarkedChain {
  typealias Output = Bool
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Bool, any Error>) {
    upstream.tryAllSatisfy { $0 >= 0 }.subscribe(downstream)
  }
}

private struct FirstWhere: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.first { $0 < 0 }.subscribe(downstream)
  }
}
