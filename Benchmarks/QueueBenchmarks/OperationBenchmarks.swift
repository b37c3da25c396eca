// What the queues' further operations cost: batches, overwriting, and channels whose ends wait for each other.

import Dispatch
import Gauge
import struct Synchronization.Mutex
import WeirQueues

@BenchmarkBuilder var operationBenchmarks: [Benchmark] {
  batchBenchmarks
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
