// Sleep, input and output, threads that are late, and queues of Dispatch.

import Foundation
import Gauge
import Synchronization

/// Asks again and again, with a rest between.
final class Client: Sendable {
  private let isThere = Atomic(false)

  @inline(never) func fetch() {
    while !isThere.exchange(false, ordering: .relaxed) { usleep(cost(2000, of: "Client.fetch()")) }
  }

  @inline(never) func answer() {
    compute(cost(quarter, of: "Client.answer()"))
    _ = isThere.exchange(true, ordering: .relaxed)
  }
}

/// Looks for events every few milliseconds, as nobody tells it of them.
final class Loop: Sendable {
  private let events = Atomic(0)
  private let ends: (Int32, Int32)

  init() {
    var both: [Int32] = [0, 0]
    pipe(&both)
    ends = (both[0], both[1])
  }

  deinit {
    close(ends.0)
    close(ends.1)
  }

  @inline(never) func next() {
    while events.load(ordering: .relaxed) == 0 {
      var asked = pollfd(fd: ends.0, events: Int16(POLLIN), revents: 0)
      poll(&asked, 1, cost(4, of: "Loop.next()"))
    }
    events.subtract(1, ordering: .relaxed)
  }

  @inline(never) func happen() {
    compute(cost(quarter, of: "Loop.happen()"))
    events.add(1, ordering: .relaxed)
  }
}

/// Reads what somebody has to compute first.
final class Pipeline: Sendable {
  private let ends: (Int32, Int32)

  init() {
    var both: [Int32] = [0, 0]
    pipe(&both)
    ends = (both[0], both[1])
  }

  deinit {
    close(ends.0)
    close(ends.1)
  }

  @inline(never) func receive() {
    var byte: UInt8 = 0
    read(ends.0, &byte, 1)
  }

  @inline(never) func send() {
    compute(cost(4 * quarter, of: "Pipeline.send()"))
    var byte: UInt8 = 1
    write(ends.1, &byte, 1)
  }
}

/// All begin the next phase together, and one is late.
final class Phases {
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init() { pthread_barrier_init(barrier, nil, 2) }

  deinit {
    pthread_barrier_destroy(barrier)
    barrier.deallocate()
  }

  @inline(never) func quick() {
    pthread_barrier_wait(barrier)
    leave()
  }

  @inline(never) func slow() {
    compute(cost(4 * quarter, of: "Phases.slow()"))
    pthread_barrier_wait(barrier)
    leave()
  }
}

/// Each thread is waited for before the next one begins.
enum Serial {
  @inline(never) static func all() {
    for _ in 0..<4 {
      let part = begin {
        compute(cost(4 * quarter, of: "Serial.all()"))
        leave()
      }
      pthread_join(part, nil)
    }
  }
}

/// A queue as a lock.
final class Account {
  private let queue = DispatchQueue(label: "account")
  private var sum = 0

  @inline(never) func change() {
    queue.sync {
      compute(cost(20_000, of: "Account.change()"))
      sum += 1
    }
  }
}

/// Parts are made at once, and one takes longest.
final class Summary {
  private let group = DispatchGroup()

  @inline(never) func slowPart() {
    compute(cost(8 * quarter, of: "Summary.slowPart()"))
    group.leave()
    leave()
  }

  @inline(never) func make() {
    group.enter()
    let part = begin { self.slowPart() }
    group.wait()
    pthread_join(part, nil)
  }
}

@BenchmarkBuilder var otherBenchmarks: [Benchmark] {
  Benchmark("waits/sleeping-retry", threads: .several) { run in
    let client = Client()
    run.measure {
      let server = begin { client.answer() }
      client.fetch()
      pthread_join(server, nil)
    }
  }
  Benchmark("waits/polling-loop", threads: .several) { run in
    let loop = Loop()
    run.measure {
      let source = begin { loop.happen() }
      loop.next()
      pthread_join(source, nil)
    }
  }
  Benchmark("waits/pipe", threads: .several) { run in
    let pipeline = Pipeline()
    run.measure {
      let sender = begin { for _ in 0..<3 { pipeline.send() } }
      for _ in 0..<3 { pipeline.receive() }
      pthread_join(sender, nil)
    }
  }
  Benchmark("waits/straggler", threads: .several) { run in
    let phases = Phases()
    run.measure {
      let late = begin { for _ in 0..<3 { phases.slow() } }
      for _ in 0..<3 { phases.quick() }
      pthread_join(late, nil)
    }
  }
  Benchmark("waits/join-in-loop", threads: .several) { run in
    run.measure { Serial.all() }
  }
  Benchmark("waits/serial-queue", threads: .several) { run in
    let account = Account()
    run.measure {
      let body = { for _ in 0..<200 { account.change() } }
      atOnce(body, body, body, body)
    }
  }
  Benchmark("waits/group", threads: .several) { run in
    let summary = Summary()
    run.measure { summary.make() }
  }
}
