// What an element costs on its way through each queue, beside hand-written limits in the same run.

import Gauge
import WeirQueues

@main struct QueueBenchmarks: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    aloneBenchmarks
    throughputBenchmarks
    pingPongBenchmarks
    operationBenchmarks
    taskBenchmarks
    queueLimitBenchmarks
  }
}

/// One element in and out by one thread: nothing is contended.
@BenchmarkBuilder private var aloneBenchmarks: [Benchmark] {
  Benchmark("queue/spsc-ring/alone", passes: .withoutLatency, limit: "queue/limit-ring-buffer/alone") { run in
    let queue = opaque(SPSCRing<Int>(minimumCapacity: 1024))
    measureAlone(run, { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark("queue/spsc-linked/alone", passes: .withoutLatency, limit: "queue/limit-ring-buffer/alone") { run in
    let queue = opaque(SPSCLinkedQueue<Int>())
    measureAlone(run, { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark("queue/mpsc/alone", passes: .withoutLatency, limit: "queue/limit-lock/alone") { run in
    let queue = opaque(MPSCQueue<Int>())
    measureAlone(run, { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark("queue/mpmc/alone", passes: .withoutLatency, limit: "queue/limit-lock/alone") { run in
    let queue = opaque(MPMCQueue<Int>(minimumCapacity: 1024))
    measureAlone(run, { queue.enqueue($0) }, { queue.dequeue() })
  }
}

/// All elements of a round through a queue with threads at both ends: an operation is over when the last has arrived.
@BenchmarkBuilder private var throughputBenchmarks: [Benchmark] {
  Benchmark("queue/spsc-ring", threads: .several, passes: .withoutLatency, limit: "queue/limit-count") { run in
    let queue = SPSCRing<Int>(minimumCapacity: 4096)
    try measureThroughput(run, producers: 1, { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark("queue/spsc-ring/batch", threads: .several, passes: .withoutLatency, limit: "queue/limit-count") { run in
    try measureBatches(run)
  }
  Benchmark("queue/spsc-linked", threads: .several, passes: .withoutLatency, limit: "queue/limit-count") { run in
    let queue = SPSCLinkedQueue<Int>()
    try measureThroughput(run, producers: 1, { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark("queue/mpsc", over: producers, threads: .several, passes: .withoutLatency, limit: "queue/limit-lock") {
    run in
    let queue = MPSCQueue<Int>()
    try measureThroughput(run, producers: run["producers"], { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark("queue/mpmc", over: producers, threads: .several, passes: .withoutLatency, limit: "queue/limit-lock") {
    run in
    let queue = MPMCQueue<Int>(minimumCapacity: 4096)
    let count = run["producers"]
    try measureThroughput(run, producers: count, consumers: count, { queue.enqueue($0) }, { queue.dequeue() })
  }
}

/// One element to another thread and one back: half of an operation is one way.
@BenchmarkBuilder private var pingPongBenchmarks: [Benchmark] {
  Benchmark("queue/spsc-ring/ping-pong", threads: .several, limit: "queue/limit-word/ping-pong") { run in
    let there = SPSCRing<Int>(minimumCapacity: 64)
    let back = SPSCRing<Int>(minimumCapacity: 64)
    measurePingPong(
      run, send: { _ = there.enqueue($0) }, receive: { there.dequeue() }, answer: { _ = back.enqueue($0) },
      hear: { back.dequeue() })
  }
  Benchmark("queue/mpsc/ping-pong", threads: .several, limit: "queue/limit-word/ping-pong") { run in
    let there = MPSCQueue<Int>()
    let back = MPSCQueue<Int>()
    measurePingPong(
      run, send: { there.enqueue($0) }, receive: { there.dequeue() }, answer: { back.enqueue($0) },
      hear: { back.dequeue() })
  }
  Benchmark("queue/mpmc/ping-pong", threads: .several, limit: "queue/limit-word/ping-pong") { run in
    let there = MPMCQueue<Int>(minimumCapacity: 64)
    let back = MPMCQueue<Int>(minimumCapacity: 64)
    measurePingPong(
      run, send: { _ = there.enqueue($0) }, receive: { there.dequeue() }, answer: { _ = back.enqueue($0) },
      hear: { back.dequeue() })
  }
}

private let producers = BenchmarkAxis.values("producers", [1, 2, 4])
