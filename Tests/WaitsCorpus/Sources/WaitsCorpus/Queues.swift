// Queues that are too short, or that somebody is too slow for.

import Foundation
import Gauge

/// A queue of a few places; `produce` and `consume` are the program's, so that they name the bottleneck.
class Places {
  fileprivate let condition = NSCondition()
  fileprivate var filled = 0
  fileprivate let capacity: Int

  init(capacity: Int) { self.capacity = capacity }
}

/// Work comes in faster than it is done.
final class Slow: Places {
  @inline(never) func produce() {
    condition.lock()
    while filled == capacity { condition.wait() }
    filled += 1
    condition.signal()
    condition.unlock()
  }

  @inline(never) func consume() {
    condition.lock()
    while filled == 0 { condition.wait() }
    filled -= 1
    condition.signal()
    condition.unlock()
    compute(cost(quarter, of: "Slow.consume()"))
    leave()
  }
}

/// Each item waits for the one before to be taken.
final class Single: Places {
  @inline(never) func produce() {
    // Unlike the other one, which the compiler would else make one function with this.
    compute(10)
    condition.lock()
    while filled == capacity { condition.wait() }
    filled += 1
    condition.signal()
    condition.unlock()
  }

  @inline(never) func consume() {
    condition.lock()
    while filled == 0 { condition.wait() }
    condition.unlock()
    // The item has its place until it is done. With the lock held, whoever came next would wait for that.
    compute(cost(quarter / 8, of: "Single.consume()"))
    condition.lock()
    filled -= 1
    condition.signal()
    condition.unlock()
  }
}

/// All are woken for what one of them gets.
final class Herd: Places {
  @inline(never) func take() {
    condition.lock()
    while filled == 0 { condition.wait() }
    filled -= 1
    condition.unlock()
  }

  @inline(never) func put() {
    compute(cost(2 * quarter, of: "Herd.put()"))
    condition.lock()
    filled += 1
    condition.broadcast()
    condition.unlock()
  }
}

/// One worker does what comes, a slow thing first.
final class Line {
  private let queue = DispatchQueue(label: "line")
  let done = DispatchSemaphore(value: 0)

  @inline(never) func slowJob() {
    usleep(cost(3000, of: "Line.slowJob()"))
    leave()
  }

  @inline(never) func quickJob() {
    done.signal()
    leave()
  }

  @inline(never) func serve() {
    queue.async { self.slowJob() }
    queue.async { self.quickJob() }
    done.wait()
  }
}

/// One connection for everybody.
final class Pool {
  private let connection = DispatchSemaphore(value: 1)

  @inline(never) func query() {
    usleep(cost(1000, of: "Pool.query()"))
    leave()
  }

  @inline(never) func run() {
    connection.wait()
    query()
    connection.signal()
  }
}

/// No more than one at a time may pass.
final class Throttle {
  private let places = DispatchSemaphore(value: 1)

  @inline(never) func run() {
    places.wait()
    compute(cost(quarter, of: "Throttle.run()"))
    places.signal()
    leave()
  }
}

@BenchmarkBuilder var queueBenchmarks: [Benchmark] {
  Benchmark("waits/slow-consumer", threads: .several) { run in
    run.measure {
      let queue = Slow(capacity: 4)
      let consumer = begin { for _ in 0..<24 { queue.consume() } }
      for _ in 0..<24 { queue.produce() }
      pthread_join(consumer, nil)
    }
  }
  Benchmark("waits/queue-of-one", threads: .several) { run in
    run.measure {
      let queue = Single(capacity: 1)
      let consumer = begin { for _ in 0..<60 { queue.consume() } }
      for _ in 0..<60 { queue.produce() }
      pthread_join(consumer, nil)
    }
  }
  Benchmark("waits/thundering-herd", threads: .several) { run in
    run.measure {
      let herd = Herd(capacity: .max)
      let source = begin { for _ in 0..<8 { herd.put() } }
      let body = { for _ in 0..<2 { herd.take() } }
      atOnce(body, body, body, body)
      pthread_join(source, nil)
    }
  }
  Benchmark("waits/head-of-line", threads: .several) { run in
    let line = Line()
    run.measure { line.serve() }
  }
  Benchmark("waits/pool-of-one", threads: .several) { run in
    let pool = Pool()
    run.measure {
      let body = { for _ in 0..<5 { pool.run() } }
      atOnce(body, body, body, body)
    }
  }
  Benchmark("waits/throttle", threads: .several) { run in
    let throttle = Throttle()
    run.measure {
      let body = { for _ in 0..<20 { throttle.run() } }
      atOnce(body, body, body, body)
    }
  }
}
