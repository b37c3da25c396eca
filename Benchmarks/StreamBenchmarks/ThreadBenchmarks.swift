// Values that cross threads.

import Dispatch
import Gauge
import Weir
import WeirDispatch

@BenchmarkBuilder var threadBenchmarks: [Benchmark] {
  // A burst to another queue: one operation sends it and waits for its last value.
  Benchmark("thread/receive-on", over: .values("burst", [1, 1000]), threads: .several) { run in
    let queue = DispatchQueue(label: "benchmark")
    let subject = opaque(PassthroughSubject<Int, Never>())
    let burst = run["burst"]
    let arrived = DispatchSemaphore(value: 0)
    let sink = subject.receive(on: queue).sink { value in
      blackHole(value)
      if value == burst { arrived.signal() }
    }
    run.elements = burst
    run.measure {
      for value in 1...burst { subject.send(value) }
      arrived.wait()
    }
    sink.cancel()
  }
}
