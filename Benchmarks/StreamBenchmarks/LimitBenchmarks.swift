// Hand-written limits: what the machine takes for the least that a stream must do.

import Dispatch
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

  // Taking a free lock word and giving it back: the floor of serialising senders.
  Benchmark("limit/two-compare-exchanges", passes: .withoutLatency) { run in
    let word = opaque(SharedWord())
    run.measure {
      _ = word.state.compareExchange(expected: 0, desired: 1)
      return word.state.compareExchange(expected: 1, desired: 0).exchanged
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

  // The same queue with a thread at each end: an operation is over when all values have arrived.
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

private final class ClosureNode {
  let receive: (Int) -> Void

  init(_ receive: @escaping (Int) -> Void) { self.receive = receive }
}

private final class SharedWord: Sendable {
  let state = AtomicWord(0)
}

private final class SharedRing {
  var ring = RingBuffer<Int>()
}
