// Subjects: one value to many sinks, and the coming and going of subscribers.

import Gauge
import Weir

@BenchmarkBuilder var subjectBenchmarks: [Benchmark] {
  Benchmark("subject/passthrough/send", over: .values("sinks", [1, 10, 100, 1000])) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sinks = (0..<run["sinks"]).map { _ in subject.sink { blackHole($0) } }
    run.elements = sinks.count
    var value = 0
    run.measure {
      value &+= 1
      subject.send(value)
    }
    withExtendedLifetime(sinks) {}
  }

  // Alone, and with others that stay: neither may cost more the more there are.
  Benchmark("subject/passthrough/subscribe-cancel", over: .values("others", [0, 10_000])) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let others = (0..<run["others"]).map { _ in subject.sink { blackHole($0) } }
    run.measure { subject.sink { blackHole($0) }.cancel() }
    withExtendedLifetime(others) {}
  }
}
