// Hand-written limits made of what only this package may use: a lock word, a ring, threads that start together.

import Dispatch
import Gauge
import WeirQueues

@BenchmarkBuilder var packageLimitBenchmarks: [Benchmark] {
  // Taking a free lock word and giving it back: the floor of serialising senders.
  Benchmark("limit/two-compare-exchanges", passes: .withoutLatency) { run in
    let word = opaque(SharedWord())
    run.measure {
      _ = word.state.compareExchange(expected: 0, desired: 1)
      return word.state.compareExchange(expected: 1, desired: 0).exchanged
    }
  }

  // A thousand values into the circular array of one thread, and out of it.
  Benchmark("limit/ring-buffer", over: .values("values", [1000]), passes: .withoutLatency) { run in
    let queue = opaque(SharedRing())
    let values = run["values"]
    run.elements = values
    run.measure {
      for value in 0..<values { queue.ring.append(value) }
      while let value = queue.ring.popFirst() { blackHole(value) }
    }
  }

  // The queue between two threads with a thread at each end: an operation is over when all values have arrived.
  Benchmark("limit/spsc-queue/threads", threads: .several, passes: .withoutLatency) { run in
    let queue = SPSCLinkedQueue<Int>()
    let threads = SenderThreads(2) { number in
      if number == 0 {
        for value in 0..<valuesPerRound { queue.enqueue(value) }
      } else {
        var arrived = 0
        var spinner = Spinner()
        while arrived < valuesPerRound {
          guard let value = queue.dequeue() else {
            spinner.wait()
            continue
          }
          spinner = Spinner()
          blackHole(value)
          arrived += 1
        }
      }
    }
    run.elements = valuesPerRound
    run.countedOperations = 50
    run.measure { threads.runRound() }
    threads.end()
  }

  // A thousand values through that queue to one block on another queue, which takes them as they come, and a semaphore
  // back: the floor of a burst that changes its thread.
  Benchmark(
    "limit/burst-to-queue", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency
  ) { run in
    let values = SPSCLinkedQueue<Int>()
    let worker = DispatchQueue(label: "limit")
    let arrived = DispatchSemaphore(value: 0)
    let burst = run["burst"]
    run.elements = burst
    run.measure {
      worker.async {
        var spinner = Spinner()
        while true {
          guard let value = values.dequeue() else {
            spinner.wait()
            continue
          }
          blackHole(value)
          if value == burst { break }
        }
        arrived.signal()
      }
      for value in 1...burst { values.enqueue(value) }
      arrived.wait()
    }
  }

  // A thousand values to another queue, each in a block of its own, and a semaphore back: the floor of a burst whose
  // values keep their places among the queue's other jobs.
  Benchmark(
    "limit/one-block-per-value", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency
  ) { run in
    let queue = DispatchQueue(label: "limit")
    let arrived = DispatchSemaphore(value: 0)
    let burst = run["burst"]
    run.elements = burst
    run.measure {
      for value in 1...burst {
        queue.async {
          blackHole(value)
          if value == burst { arrived.signal() }
        }
      }
      arrived.wait()
    }
  }

  // Threads that add to one word at the same time: the floor of everything that many threads send to one place.
  Benchmark(
    "limit/shared-add", over: .values("threads", [1, 2, 4, 8]), threads: .several, passes: .withoutLatency
  ) { run in
    let word = SharedWord()
    measureSenders(run["threads"], run) { _, value in _ = word.state.add(value) }
  }

  // One block to another queue and a semaphore back: the floor of a hop.
  Benchmark("limit/dispatch-async", threads: .several, openLoopRate: hopRate) { run in
    let queue = DispatchQueue(label: "limit")
    let arrived = DispatchSemaphore(value: 0)
    run.measure {
      queue.async { arrived.signal() }
      arrived.wait()
    }
  }

  // One block to another queue, seen by the sender, which spins meanwhile: the floor of one way.
  Benchmark("limit/dispatch-async/one-way", threads: .several, openLoopRate: hopRate) { run in
    let queue = DispatchQueue(label: "limit")
    let arrivals = ArrivalCounter()
    var sent = 0
    run.measure {
      sent += 1
      queue.async { arrivals.arrive() }
      arrivals.wait(for: sent)
    }
  }
}

private final class SharedWord: Sendable {
  let state = AtomicWord(0)
}

private final class SharedRing {
  var ring = RingBuffer<Int>()
}
