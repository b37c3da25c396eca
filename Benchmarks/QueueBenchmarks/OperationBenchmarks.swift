// What the queues' further operations cost: batches, drains, looks, trims, overwriting, and channels whose ends wait
// for each other.

import Dispatch
import Gauge
import struct Synchronization.Mutex
import WeirQueues

@BenchmarkBuilder var operationBenchmarks: [Benchmark] {
  batchBenchmarks
  drainBenchmarks
  lookBenchmarks
  overwriteBenchmarks
  channelBenchmarks
}

private let batch = Array(1...64)

/// A batch in and out by one thread: nothing is contended.
@BenchmarkBuilder private var batchBenchmarks: [Benchmark] {
  Benchmark("queue/spsc-ring/batch-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(SPSCRing<Int>(minimumCapacity: 1024))
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { queue.dequeue(atMost: 64, into: &$0) })
  }
  Benchmark("queue/spsc-linked/batch-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(SPSCLinkedQueue<Int>())
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { queue.dequeue(atMost: 64, into: &$0) })
  }
  Benchmark("queue/mpsc/batch-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(MPSCQueue<Int>())
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { queue.dequeue(atMost: 64, into: &$0) })
  }
  Benchmark("queue/mpmc/batch-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(MPMCQueue<Int>(minimumCapacity: 1024))
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { queue.dequeue(atMost: 64, into: &$0) })
  }
  Benchmark("queue/limit-lock/batch-alone", passes: .withoutLatency) { run in
    let queue = opaque(Locked(ContiguousArray<Int>()))
    measureBatchAlone(
      run,
      { batch in
        queue.lock.withLock { $0.append(contentsOf: batch) }
        return batch.count
      },
      { taken in
        queue.lock.withLock {
          taken.append(contentsOf: $0)
          let count = $0.count
          $0.removeAll(keepingCapacity: true)
          return count
        }
      })
  }
}

/// A batch in, and out again by a closure for each element, by one thread.
@BenchmarkBuilder private var drainBenchmarks: [Benchmark] {
  Benchmark("queue/spsc-ring/drain-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(SPSCRing<Int>(minimumCapacity: 1024))
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { taken in queue.drain { taken.append($0) } })
  }
  Benchmark("queue/spsc-linked/drain-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(SPSCLinkedQueue<Int>())
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { taken in queue.drain { taken.append($0) } })
  }
  Benchmark("queue/mpsc/drain-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(MPSCQueue<Int>())
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { taken in queue.drain { taken.append($0) } })
  }
  Benchmark("queue/mpmc/drain-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let queue = opaque(MPMCQueue<Int>(minimumCapacity: 1024))
    measureBatchAlone(run, { queue.enqueue(contentsOf: $0) }, { taken in queue.drain { taken.append($0) } })
  }
  Benchmark("queue/channel/drain-alone", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { run in
    let channel = opaque(Channel<Int>(minimumCapacity: 1024))
    measureBatchAlone(
      run, { channel.sender.trySend(contentsOf: $0) }, { taken in channel.receiver.drain { taken.append($0) } })
  }
}

/// Looks at the first element, and memory that is let go of, by one thread.
@BenchmarkBuilder private var lookBenchmarks: [Benchmark] {
  Benchmark("queue/spsc-ring/peek", passes: .withoutLatency) { run in
    let queue = opaque(SPSCRing<Int>(minimumCapacity: 64))
    _ = queue.enqueue(1)
    run.measure { queue.first }
  }
  Benchmark("queue/spsc-linked/peek", passes: .withoutLatency) { run in
    let queue = opaque(SPSCLinkedQueue<Int>())
    _ = queue.enqueue(1)
    run.measure { queue.first }
  }
  Benchmark("queue/mpsc/peek", passes: .withoutLatency) { run in
    let queue = opaque(MPSCQueue<Int>())
    _ = queue.enqueue(1)
    run.measure { queue.first }
  }
  // Segments that a batch of 1,000 elements has left behind are let go of; the next batch allocates them again.
  Benchmark("queue/mpsc/trim", passes: .withoutLatency) { run in
    let queue = opaque(MPSCQueue<Int>())
    let elements = Array(1...1000)
    run.elements = elements.count
    run.measure {
      _ = queue.enqueue(contentsOf: elements[...])
      return queue.drain { blackHole($0) } + queue.trim()
    }
  }
}

/// An element into a full queue, by one thread: each leads to another one's leaving.
@BenchmarkBuilder private var overwriteBenchmarks: [Benchmark] {
  Benchmark("queue/mpmc/overwrite", passes: .withoutLatency, limit: "queue/limit-lock/overwrite") { run in
    let queue = opaque(MPMCQueue<Int>(minimumCapacity: 1024))
    var value = 0
    for _ in 0..<2000 { blackHole(queue.overwrite(with: value)) }
    run.measure {
      value &+= 1
      return queue.overwrite(with: value)
    }
  }
  Benchmark("queue/limit-lock/overwrite", passes: .withoutLatency) { run in
    let queue = opaque(Locked(ContiguousArray(repeating: 0, count: 1024)))
    var value = 0
    run.measure {
      value &+= 1
      let index = value & 1023
      return queue.lock.withLock { elements in
        let old = elements[index]
        elements[index] = value
        return old
      }
    }
  }
}

/// Channels: without waiting, and with threads that sleep.
@BenchmarkBuilder private var channelBenchmarks: [Benchmark] {
  Benchmark("queue/channel/alone", passes: .withoutLatency, limit: "queue/limit-lock/alone") { run in
    let channel = opaque(Channel<Int>(minimumCapacity: 1024))
    measureAlone(run, { channel.sender.trySend($0).isTaken }, { channel.receiver.tryReceive().taken() })
  }
  Benchmark(
    "queue/channel", over: .values("producers", [1, 2, 4, 8]), threads: .several, passes: .withoutLatency,
    limit: "queue/limit-lock"
  ) { run in
    let channel = Channel<Int>(minimumCapacity: 4096)
    let count = run["producers"]
    try measureThroughput(
      run, producers: count, consumers: count, { channel.sender.sendBlocking($0).isTaken },
      { channel.receiver.receiveBlocking().taken() })
  }
  // The element is in one of two channels, in turn; nobody sleeps.
  Benchmark("queue/channel/select-blocking/ready", passes: .withoutLatency, limit: "queue/channel/alone") { run in
    let (first, second) = opaque((Channel<Int>(minimumCapacity: 64), Channel<Int>(minimumCapacity: 64)))
    var value = 0
    run.measure {
      value &+= 1
      _ = (value % 2 == 0 ? first : second).sender.trySend(value)
      return selectBlocking(
        .receive(from: first.receiver) { $0.taken() }, .receive(from: second.receiver) { $0.taken() })
    }
  }
  Benchmark("queue/channel/ping-pong", threads: .several, limit: "queue/limit-semaphore/ping-pong") { run in
    let there = Channel<Int>(minimumCapacity: 64)
    let back = Channel<Int>(minimumCapacity: 64)
    measurePingPong(
      run, send: { _ = there.sender.sendBlocking($0) }, receive: { there.receiver.receiveBlocking().taken() },
      answer: { _ = back.sender.sendBlocking($0) }, hear: { back.receiver.receiveBlocking().taken() })
  }
  Benchmark("queue/limit-semaphore/ping-pong", threads: .several) { run in
    let there = SignalledRing()
    let back = SignalledRing()
    measurePingPong(
      run, send: { there.put($0) }, receive: { there.take() }, answer: { back.put($0) }, hear: { back.take() })
  }
}

/// Measures 64 elements in and out.
@inline(__always)
private func measureBatchAlone(
  _ run: BenchmarkRun, _ enqueue: (ArraySlice<Int>) -> Int, _ dequeue: (inout [Int]) -> Int
) {
  var taken: [Int] = []
  taken.reserveCapacity(64)
  func round() -> Int {
    let sent = enqueue(batch[...])
    taken.removeAll(keepingCapacity: true)
    return sent + dequeue(&taken)
  }
  // The queue comes to its size first.
  for _ in 0..<100 { blackHole(round()) }
  run.elements = batch.count
  run.measure { round() }
}

/// What one writes to wake a thread: a queue, and a semaphore that counts its elements.
private final class SignalledRing: Sendable {
  private let ring = SPSCRing<Int>(minimumCapacity: 64)
  private let count = DispatchSemaphore(value: 0)

  func put(_ value: Int) {
    _ = ring.enqueue(value)
    count.signal()
  }

  func take() -> Int? {
    count.wait()
    return ring.dequeue()
  }
}

/// State behind a mutex, where a closure can hold it.
private final class Locked<State: Sendable> {
  let lock: Mutex<State>
  init(_ state: State) { lock = Mutex(state) }
}
