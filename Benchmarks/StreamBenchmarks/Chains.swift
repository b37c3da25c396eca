// How a chain of operators is benchmarked: typed, erased at both ends, and built in another module's generic code.

import Gauge
import GenericChains
import Weir

extension Set<LaunchRequest.Pass> {
  /// Everything.
  static let all = Set(LaunchRequest.Pass.allCases)
  /// What repeats exactly, for rows that differ in what they cost from a row whose time is measured.
  static let exact: Set = [.allocations, .counts]
}

/// A chain that benchmarks send through.
protocol BenchmarkedChain: Chain {
  /// What an operation does after sending: time that passes, for instance.
  func settle()
}

extension BenchmarkedChain {
  @inline(__always)
  func settle() {}
}

/// The benchmarks of a chain between a subject and a sink; an operation sends one value.
///
/// - Parameters:
///   - name: The name of the typed one; the others have a word more.
///   - passes: What to measure of the typed one.
///   - erasedPasses: What to measure of the erased one.
///   - openLoopRate: As for a `Benchmark`.
///   - make: Makes the chain, once for each launch.
@BenchmarkBuilder
func chain<Links: BenchmarkedChain>(
  _ name: String, passes: Set<LaunchRequest.Pass> = .withoutLatency,
  ofErased erasedPasses: Set<LaunchRequest.Pass> = .exact, openLoopRate: Int? = nil,
  _ make: @autoclosure @escaping () -> Links
) -> [Benchmark] {
  Benchmark(name, passes: passes, openLoopRate: openLoopRate, limit: "limit/closure-call") { run in
    measureSends(through: make(), run) { $0.connect($1, to: $2) }
  }
  Benchmark(name + "/erased-ends", passes: erasedPasses, limit: "limit/closure-call") { run in
    measureSends(through: make(), run) { $0.connect($1.eraseToAnyPublisher(), to: AnySubscriber($2)) }
  }
  Benchmark(name + "/generic", passes: [.counts], limit: "limit/closure-call") { run in
    measureSends(through: make(), run) { connect($0, from: $1, to: $2) }
  }
}

/// Measures sends through a chain to a sink.
@inline(__always)
private func measureSends<Links: BenchmarkedChain>(
  through chain: Links, _ run: BenchmarkRun,
  connect: (Links, PassthroughSubject<Int, Never>, Subscribers.Sink<Links.Output, Links.Failure>) -> Void
) {
  let subject = opaque(PassthroughSubject<Int, Never>())
  let sink = Subscribers.Sink<Links.Output, Links.Failure>(
    receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
  connect(chain, subject, sink)
  // Queues grow to their size at first.
  for value in 0..<1000 {
    subject.send(value)
    chain.settle()
  }
  var value = 0
  run.measure {
    value &+= 2
    subject.send(value)
    chain.settle()
  }
  sink.cancel()
}
