// Hand-written limits of the queues: one thread's ring, a bare count, a bare word, and an array behind a mutex that is
// swapped out whole.

import Gauge
import struct Synchronization.Mutex
import WeirQueues

@BenchmarkBuilder var queueLimitBenchmarks: [Benchmark] {
  Benchmark("queue/limit-ring-buffer/alone", passes: .withoutLatency) { run in
    let queue = opaque(OneThreadRing())
    measureAlone(
      run,
      {
        queue.ring.append($0)
        return true
      }, { queue.ring.popFirst() })
  }
  Benchmark("queue/limit-count", threads: .several, passes: .withoutLatency) { run in
    let queue = BareCount()
    try measureThroughput(run, producers: 1, { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark("queue/limit-word/ping-pong", threads: .several) { run in
    let there = BareWord()
    let back = BareWord()
    measurePingPong(
      run, send: { there.put($0) }, receive: { there.take() }, answer: { back.put($0) }, hear: { back.take() })
  }
  Benchmark("queue/limit-lock/alone", passes: .withoutLatency) { run in
    let queue = opaque(LockedArray())
    measureAlone(run, { queue.enqueue($0) }, { queue.dequeue() })
  }
  Benchmark(
    "queue/limit-lock", over: .values("producers", [1, 2, 4, 8]), threads: .several, passes: .withoutLatency
  ) { run in
    let queue = LockedArray()
    try measureThroughput(run, producers: run["producers"], { queue.enqueue($0) }, { queue.dequeue() })
  }
}

/// A queue of nothing but its count: the consumer sees how many numbers there are, and knows them.
private final class BareCount: Sendable {
  let sent = AtomicWord(0)
  let taken = AtomicWord(0)

  func enqueue(_ value: Int) -> Bool {
    sent.publish(sent.relaxedLoad() + 1)
    return true
  }

  func dequeue() -> Int? {
    let position = taken.relaxedLoad()
    guard sent.acquireLoad() > position else { return nil }
    taken.relaxedStore(position + 1)
    return position % elementsPerRound + 1
  }
}

/// One word that two threads hand each other numbers in; 0 means none, so the numbers are sent one higher.
private final class BareWord: Sendable {
  let word = AtomicWord(0)

  func put(_ value: Int) { word.publish(value + 1) }

  func take() -> Int? {
    let value = word.acquireLoad()
    guard value != 0 else { return nil }
    word.relaxedStore(0)
    return value - 1
  }
}

private final class OneThreadRing {
  var ring = RingBuffer<Int>()
}

/// What one writes without a queue: producers append under a lock, the consumer swaps the whole array out.
private final class LockedArray {
  private let lock = Mutex(ContiguousArray<Int>())
  // The consumer's.
  private var taken = ContiguousArray<Int>()
  private var next = 0

  func enqueue(_ value: Int) -> Bool {
    lock.withLock { $0.append(value) }
    return true
  }

  func dequeue() -> Int? {
    if next == taken.count {
      taken.removeAll(keepingCapacity: true)
      next = 0
      lock.withLock { swap(&$0, &taken) }
      guard !taken.isEmpty else { return nil }
    }
    defer { next += 1 }
    return taken[next]
  }
}
