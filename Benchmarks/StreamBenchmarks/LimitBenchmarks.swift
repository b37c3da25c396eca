// Hand-written limits: what the machine takes for the least that a stream must do.

import Gauge
import WeirQueues

@BenchmarkBuilder var limitBenchmarks: [Benchmark] {
  // A value through a closure that a final class holds as a constant: the floor of every erased edge.
  Benchmark("limit/closure-call", openLoopRate: sendRate) { run in
    let node = opaque(ClosureNode { blackHole($0) })
    var value = 0
    run.measure {
      value &+= 1
      node.receive(value)
    }
  }

  // The loop that `chain/sequence-map-filter` would be if written by hand.
  Benchmark("limit/loop-map-filter", over: .values("elements", [1000]), passes: .withoutLatency) { run in
    let elements = opaque(0..<run["elements"])
    run.elements = run["elements"]
    run.measure {
      for element in elements {
        let mapped = element &+ 1
        if mapped != 0 { blackHole(mapped) }
      }
    }
  }

  // One value into the queue between two threads and out of it, by one thread.
  Benchmark("limit/spsc-queue", passes: .withoutLatency) { run in
    let queue = opaque(SPSCLinkedQueue<Int>())
    // The queue grows to its size at first.
    for value in 0..<1000 {
      queue.enqueue(value)
      blackHole(queue.dequeue())
    }
    var value = 0
    run.measure {
      value &+= 1
      queue.enqueue(value)
      return queue.dequeue()
    }
  }
}

private final class ClosureNode {
  let receive: (Int) -> Void

  init(_ receive: @escaping (Int) -> Void) { self.receive = receive }
}
