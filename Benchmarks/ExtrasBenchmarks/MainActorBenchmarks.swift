// Streams as asynchronous sequences on the main actor, whose thread a run loop turns as in an application.

import Foundation
import Gauge
import Weir
import WeirQueues

@BenchmarkBuilder var mainActorBenchmarks: [Benchmark] {
  // Values that are there already: as `async/values/sequence/on-actor` and its neighbours.
  Benchmark(
    "async/values/sequence/on-main-actor", threads: .several, passes: .withoutLatency,
    limit: "async/stream/unfolding/on-main-actor"
  ) { run in onMainActor(run, measureSequence) }
  Benchmark(
    "async/values/existential/on-main-actor", threads: .several, passes: .withoutLatency,
    limit: "async/stream/unfolding/on-main-actor"
  ) { run in onMainActor(run, measureExistential) }
  Benchmark("async/stream/unfolding/on-main-actor", threads: .several, passes: .withoutLatency) { run in
    onMainActor(run, measureUnfolding)
  }
  // What the run loop takes for itself where a task gives way as often as the loops over `values` do.
  Benchmark("async/limit-run-loop/on-main-actor", threads: .several, passes: .withoutLatency) { run in
    onMainActor(run, measureTurns)
  }
}

/// Runs a body in a task on the main actor. The caller is on the main thread, and turns its run loop until the task has
/// ended: an asynchronous benchmark keeps the main thread waiting, and nothing would run there.
private func onMainActor(_ run: BenchmarkRun, _ body: @escaping @MainActor (BenchmarkRun) async -> Void) {
  final class Ending { var hasCome = false }
  let (sent, ending) = (Unchecked(run), Unchecked(Ending()))
  Task { @MainActor in
    await body(sent.value)
    ending.value.hasCome = true
  }
  while !ending.value.hasCome { _ = RunLoop.main.run(mode: .default, before: Date() + 0.01) }
}

@MainActor private func measureSequence(_ run: BenchmarkRun) async {
  var iterator = (0..<Int.max).publisher.values.makeAsyncIterator()
  await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
}

@MainActor private func measureExistential(_ run: BenchmarkRun) async {
  var sent = SentIterator((0..<Int.max).publisher.values)
  await run.measure { blackHole(await sent.iterator.next(isolation: #isolation)) }
}

@MainActor private func measureUnfolding(_ run: BenchmarkRun) async {
  var iterator = AsyncStream(unfolding: { 1 }).makeAsyncIterator()
  await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
}

@MainActor private func measureTurns(_ run: BenchmarkRun) async {
  var count = 0
  await run.measure {
    count &+= 1
    if count % 256 == 0 { await Task.yield() }
  }
}

/// An iterator of an unknown type for a closure of an actor: the compiler can't follow one there.
private struct SentIterator: @unchecked Sendable {
  var iterator: any AsyncIteratorProtocol<Int, Never>

  init(_ numbers: any AsyncSequence<Int, Never>) { iterator = numbers.makeAsyncIterator() }
}
