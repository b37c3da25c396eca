// What publishers, subscribers and cancellers of one subject do to each other: a score for each group of threads.

import Gauge
import Weir
import WeirQueues

@BenchmarkBuilder var groupBenchmarks: [Benchmark] {
  // The subscriber's thread keeps a few sinks and lets them go together, the canceller's cancels each as soon as it is
  // there.
  Benchmark("subject/passthrough/groups", threads: .several, passes: [.time, .latency, .resources]) { run in
    let subject = Unchecked(PassthroughSubject<Int, Never>())
    let sink = subject.value.sink { blackHole($0) }
    try run.measure(
      ThreadGroup("publishers", threads: 3) { subject.value.send(1) },
      ThreadGroup("subscribers", state: { _ in [AnyCancellable]() }) { kept in
        if kept.count == 16 { kept.removeAll(keepingCapacity: true) }
        kept.append(subject.value.sink { blackHole($0) })
      },
      ThreadGroup("cancellers") { subject.value.sink { blackHole($0) }.cancel() })
    withExtendedLifetime(sink) {}
  }

  // How a subject that several threads send to scales: `gauge scaling` fits the universal scalability law.
  Benchmark(
    "subject/passthrough/send/threads", over: .threads([1, 2, 4, 8]), threads: .several, passes: [.time, .resources]
  ) { run in
    let subject = Unchecked(PassthroughSubject<Int, Never>())
    let sink = subject.value.sink { blackHole($0) }
    try run.measure(threads: run["threads"]) { subject.value.send(1) }
    withExtendedLifetime(sink) {}
  }
}
