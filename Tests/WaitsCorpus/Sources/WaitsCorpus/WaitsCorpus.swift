// The corpus as a benchmark executable; culprits.csv says what each program waits for.

import Foundation
import Gauge

@main struct WaitsCorpus: BenchmarkSuite {
  static var benchmarks: [Benchmark] { lockBenchmarks + queueBenchmarks + otherBenchmarks }
}

/// Keeps a processor busy.
///
/// - Parameter rounds: About a microsecond for 400.
@inline(never) func compute(_ rounds: Int) {
  var state = opaque(1 as UInt)
  for _ in 0..<rounds { state = (state ^ (state &>> 29)) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
  blackHole(state)
}

/// The function whose own work costs half: `scripts/checks/check-whatif` has each edited so, to see what that gains.
private let edited = ProcessInfo.processInfo.environment["WAITS_EDIT"]

/// What a function's work costs.
///
/// - Parameters:
///   - amount: As it is.
///   - function: The function.
func cost<Amount: BinaryInteger>(_ amount: Amount, of function: String) -> Amount {
  function == edited ? amount / 2 : amount
}

/// What a function does last, so that the call before is not its last: one that is has the function leave the stack.
@inline(never) func leave() { blackHole(0) }

/// A quarter of a millisecond on a processor.
let quarter = 100_000

private final class Work {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

/// A thread that has begun.
func begin(_ body: @escaping () -> Void) -> pthread_t {
  var thread = pthread_t()
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  let error = pthread_create(
    &thread, nil,
    { work in
      Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
      return nil
    }, work)
  precondition(error == 0)
  return thread
}

/// Does several things at once, and waits for all of them.
func atOnce(_ bodies: (() -> Void)...) {
  for thread in bodies.map(begin) { pthread_join(thread, nil) }
}
