// Operators that share a stream, keep values for later, or look at what passes.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var sharingBenchmarks: [Benchmark] {
  chain("sharing/share", Share())
  chain("sharing/multicast-autoconnect", passes: .exact, MulticastAutoconnect())
  chain("sharing/make-connectable", passes: .exact, MakeConnectable())
  chain("sharing/buffer", Buffer())
  chain("debugging/handle-events", HandleEvents())
  chain("debugging/print", Print())
  chain("debugging/breakpoint", passes: .exact, Breakpoint())
}

private struct Share: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.share().subscribe(downstream)
  }
}

private struct MulticastAutoconnect: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.multicast(subject: PassthroughSubject()).autoconnect().subscribe(downstream)
  }
}

private struct MakeConnectable: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.makeConnectable().autoconnect().subscribe(downstream)
  }
}

private struct Buffer: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).subscribe(downstream)
  }
}

private struct HandleEvents: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.handleEvents(
      receiveSubscription: { _ in }, receiveOutput: { blackHole($0) }, receiveCompletion: { _ in },
      receiveCancel: {}, receiveRequest: { _ in }
    ).subscribe(downstream)
  }
}

/// Makes a text of each value, and an allocation for each text that is longer than 15 bytes.
private struct Print: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.print("", to: Nowhere()).subscribe(downstream)
  }
}

private struct Nowhere: TextOutputStream {
  mutating func write(_ string: String) { blackHole(string) }
}

private struct Breakpoint: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.breakpoint(receiveOutput: { $0 < 0 }, receiveCompletion: { _ in false }).subscribe(downstream)
  }
}
