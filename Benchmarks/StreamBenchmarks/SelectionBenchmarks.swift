// Operators that take a part of a stream, or put something before or after it.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var selectionBenchmarks: [Benchmark] {
  chain("selection/drop-first", DropFirst())
  chain("selection/drop-while", passes: .exact, DropWhile())
  chain("selection/drop-until-output", passes: .exact, DropUntilOutput())
  chain("selection/prefix", Prefix())
  chain("selection/prefix-while", passes: .exact, PrefixWhile())
  chain("selection/prefix-until-output", passes: .exact, PrefixUntilOutput())
  chain("selection/output-in", passes: .exact, OutputIn())
  chain("selection/append", Append())
  chain("selection/prepend", Prepend())
}

private struct DropFirst: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.dropFirst(10).subscribe(downstream)
  }
}

private struct DropWhile: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.drop { $0 < 10 }.subscribe(downstream)
  }
}

/// The signal has come before the first value.
private struct DropUntilOutput: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.drop(untilOutputFrom: Just(())).subscribe(downstream)
  }
}

private struct Prefix: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.prefix(Int.max).subscribe(downstream)
  }
}

private struct PrefixWhile: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.prefix { $0 >= 0 }.subscribe(downstream)
  }
}

/// The signal never comes.
private struct PrefixUntilOutput: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).subscribe(downstream)
  }
}

private struct OutputIn: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.output(in: 10..<Int.max).subscribe(downstream)
  }
}

private struct Append: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.append(1).subscribe(downstream)
  }
}

private struct Prepend: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.prepend(1).subscribe(downstream)
  }
}
