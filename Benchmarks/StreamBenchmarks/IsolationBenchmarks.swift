// What it costs to call a closure that belongs to an actor: the check that it is called there.

import Gauge
import Weir
import WeirQueues

@BenchmarkBuilder var isolationBenchmarks: [Benchmark] {
  // A value to a sink whose closure is the main actor's, from there; beside `subject/passthrough/send`.
  Benchmark("subject/passthrough/send/main-actor", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let run = Unchecked(run)
    MainActor.assumeIsolated { measureSendToMainActor(run.value) }
  }
}

@MainActor private func measureSendToMainActor(_ run: BenchmarkRun) {
  let subject = PassthroughSubject<Int, Never>()
  let newest = Newest()
  let token = subject.sink { newest.value = $0 }
  var value = 0
  run.measure {
    value &+= 1
    subject.send(value)
  }
  token.cancel()
  blackHole(newest.value)
}

@MainActor private final class Newest {
  var value = 0
}
