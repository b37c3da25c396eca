// Operators that leave values out.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var filteringBenchmarks: [Benchmark] {
  chain("filtering/filter", Filter())
  chain("filtering/filter/none-passes", passes: .exact, FilterNone())
  chain("filtering/try-filter", passes: .exact, TryFilter())
  chain("filtering/compact-map", CompactMap())
  chain("filtering/try-compact-map", passes: .exact, TryCompactMap())
  chain("filtering/remove-duplicates", RemoveDuplicates())
  chain("filtering/try-remove-duplicates", passes: .exact, TryRemoveDuplicates())
  chain("filtering/replace-empty", passes: .exact, ReplaceEmpty())
}

private struct Filter: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.filter { $0 >= 0 }.subscribe(downstream)
  }
}

private struct FilterNone: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.filter { $0 < 0 }.subscribe(downstream)
  }
}

private struct TryFilter: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.tryFilter { $0 >= 0 }.subscribe(downstream)
  }
}

private struct CompactMap: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.compactMap { $0 >= 0 ? $0 : nil }.subscribe(downstream)
  }
}

private struct TryCompactMap: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.tryCompactMap { $0 >= 0 ? $0 : nil }.subscribe(downstream)
  }
}

private struct RemoveDuplicates: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.removeDuplicates().subscribe(downstream)
  }
}

private struct TryRemoveDuplicates: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.tryRemoveDuplicates { $0 == $1 }.subscribe(downstream)
  }
}

private struct ReplaceEmpty: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.replaceEmpty(with: 0).subscribe(downstream)
  }
}
