// Hand-written limits: what the machine takes for the least that a stream must do.

import Dispatch
import Gauge
import WeirQueues

@BenchmarkBuilder var limitBenchmarks: [Benchmark] {
  // A value through a closure that a final class holds as a constant: the floor of every erased edge.
  Benchmark("limit/closure-call") { run in
    let node = opaque(ClosureNode { blackHole($0) })
    var value = 0
    run.measure {
      value &+= 1
      node.receive(value)
    }
  }

  // Taking a free lock word and giving it back: the floor of serialising senders.
  Benchmark("limit/two-compare-exchanges") { run in
    let word = opaque(LockWord())
    run.measure {
      _ = word.state.compareExchange(expected: 0, desired: 1)
      return word.state.compareExchange(expected: 1, desired: 0).exchanged
    }
  }

  // The loop that `chain/sequence-map-filter` would be if written by hand.
  Benchmark("limit/loop-map-filter", over: .values("elements", [1000])) { run in
    let elements = opaque(0..<run["elements"])
    run.elements = run["elements"]
    run.measure {
      for element in elements {
        let mapped = element &+ 1
        if mapped & 1 == 0 { blackHole(mapped) }
      }
    }
  }

  // One block to another queue and a semaphore back: the floor of a hop.
  Benchmark("limit/dispatch-async", threads: .several) { run in
    let queue = DispatchQueue(label: "limit")
    let arrived = DispatchSemaphore(value: 0)
    run.measure {
      queue.async { arrived.signal() }
      arrived.wait()
    }
  }
}

private final class ClosureNode {
  let receive: (Int) -> Void

  init(_ receive: @escaping (Int) -> Void) { self.receive = receive }
}

private final class LockWord {
  let state = AtomicWord(0)
}
