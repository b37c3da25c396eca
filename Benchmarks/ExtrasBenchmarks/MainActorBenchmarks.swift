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
  // The standard library's stream leaves the actor for each value, and comes back by a turn of the run loop.
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
  run.elements = 1000
  await run.measure {
    var sum = 0
    for await number in opaque((0..<1000).publisher.values as any AsyncSequence<Int, Never>) { sum &+= number }
    return sum
  }
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
