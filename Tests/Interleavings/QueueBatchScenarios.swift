// Queues: batches, overwriting, trimming, and consumers that close.

import WeirQueues
import WeirVerify

let queueBatchScenarios = [
  Scenario("spsc-ring/closed-by-consumer", bound: 4) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 4)
    closedByConsumer(run, { ring.enqueue($0) }, { ring.dequeue() }, { ring.closeReceiving() }, { ring.isDrained })
  },
  Scenario("spsc/closed-by-consumer", bound: 3) { run in
    let queue = SPSCLinkedQueue<Payload>()
    closedByConsumer(run, { queue.enqueue($0) }, { queue.dequeue() }, { queue.closeReceiving() }, { queue.isDrained })
  },
  Scenario("spsc-ring/closed-by-both", bound: 5) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 2)
    let taken = Taken(run) { ring.dequeue() }
    run.thread("producer") {
      taken.put(11) { ring.enqueue($0) }
      ring.close()
    }
    run.thread("consumer") {
      ring.closeReceiving()
      taken.take(attempts: 1)
      if ring.isDrained { run.expect(taken.numbers, taken.accepted, "taken when the ring was drained") }
    }
    run.check {
      taken.expectAll(at: 0...1)
      run.expect(ring.isDrained, "not drained in the end")
    }
  },
  // Three segments are shown at once.
  Scenario("spsc/batches", bound: 4) { run in
    let queue = SPSCLinkedQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    run.thread("producer") { taken.putAll(11...15) { queue.enqueue(contentsOf: $0) } }
    run.thread("consumer") { taken.take(attempts: 3) }
    run.check { taken.expectAll(at: 5...5) }
  },
  // Batches that end within a segment and go beyond it.
  Scenario("mpsc/batches", bound: 2) { run in
    let queue = MPSCQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    run.thread("producer 1") { taken.putAll(11...12) { queue.enqueue(contentsOf: $0) } }
    run.thread("producer 2") { taken.putAll(21...24) { queue.enqueue(contentsOf: $0) } }
    run.thread("consumer") { taken.take(attempts: 4) }
    run.check { taken.expectAll(at: 6...6) }
  },
  // The batch loses its race for places to single elements; 3 are in a segment.
  Scenario("mpsc/batch-among-others", bound: 3) { run in
    let queue = MPSCQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    run.thread("producer 1") { taken.putAll(11...13) { queue.enqueue(contentsOf: $0) } }
    run.thread("producer 2") { (21...22).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.check {
      taken.expectAll(at: 5...5)
      for (place, number) in taken.numbers.enumerated() where number / 10 == 1 && number < 13 && place % 3 < 2 {
        run.expect(taken.numbers[place + 1], number + 1, "split where no segment ends: \(taken.numbers)")
      }
    }
  },
  Scenario("mpsc/batches-close", bound: 3) { run in
    let queue = MPSCQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    run.thread("producer") { taken.putAll(11...14) { queue.enqueue(contentsOf: $0) } }
    run.thread("closer") { queue.close() }
    run.check {
      taken.expectAll(at: 0...4)
      run.expect(queue.isDrained, "not drained in the end")
    }
  },
  Scenario("mpmc/batches", bound: 2) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 2)
    let taken = Taken(run, isOrdered: false) { queue.dequeue() }
    for producer in 1...2 {
      run.thread("producer \(producer)") {
        taken.putAll(producer * 10 + 1...producer * 10 + 2) { queue.enqueue(contentsOf: $0) }
      }
    }
    for consumer in 1...2 {
      run.thread("consumer \(consumer)") {
        var batch: [Payload] = []
        queue.dequeue(atMost: 2, into: &batch)
        batch.forEach(taken.note)
      }
    }
    run.check { taken.expectAll(at: 2...4) }
  },
  Scenario("mpmc/overwrite", bound: 3) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 2)
    let overwritten = Overwritten(run, queue)
    run.thread("producer") { (11...13).forEach { overwritten.put($0) } }
    run.thread("consumer") { overwritten.taken.take(attempts: 2) }
    run.check { overwritten.expectAll(at: 3...3) }
  },
  Scenario("mpmc/overwrite-by-two", bound: 2) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 1)
    let overwritten = Overwritten(run, queue)
    overwritten.put(1)
    for producer in 1...2 { run.thread("producer \(producer)") { overwritten.put(producer * 10) } }
    run.thread("consumer") { overwritten.taken.take(attempts: 1) }
    run.check { overwritten.expectAll(at: 3...3) }
  },
  // The queue is closed while the oldest element is out and the new one not yet in.
  Scenario("mpmc/overwrite-close", bound: 3) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 1)
    let overwritten = Overwritten(run, queue)
    overwritten.put(1)
    run.thread("producer") { (11...12).forEach { overwritten.put($0) } }
    run.thread("closer") { queue.close() }
    run.thread("consumer") {
      overwritten.taken.take(attempts: 1)
      guard queue.isDrained else { return }
      run.expect(queue.dequeue() == nil, "an element came when the queue was drained")
      run.pause("between two looks")
      run.expect(queue.dequeue() == nil, "an element came after the queue was drained")
    }
    run.check {
      overwritten.expectAll(at: 1...3)
      run.expect(queue.isDrained, "not drained in the end")
    }
  },
  // The consumer gives segments back, which are taken again, or trimmed.
  Scenario("mpsc/trim", bound: 2) { run in
    let queue = MPSCQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    for number in 1...5 { taken.put(number) { queue.enqueue($0) } }
    run.thread("producer") { (11...13).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.thread("consumer") { taken.take(attempts: 7) }
    run.thread("trimmer") { queue.trim() }
    run.check {
      taken.expectAll(at: 8...8)
      queue.trim()
    }
  },
]

/// The producer learns with its next element that the consumer wants no more; what it has added before comes.
private func closedByConsumer(
  _ run: Run, _ enqueue: @escaping (Payload) -> Bool, _ dequeue: @escaping () -> Payload?,
  _ close: @escaping () -> Void, _ isDrained: @escaping () -> Bool
) {
  let taken = Taken(run, dequeue)
  let hasClosed = AtomicWord(0)
  run.thread("producer") {
    (11...13).forEach { taken.put($0, enqueue) }
    // Who only waits learns nothing of what was done before.
    while hasClosed.acquireLoad() == 0 { spinHint() }
    taken.put(14, enqueue)
  }
  run.thread("consumer") {
    close()
    hasClosed.publish(1)
    taken.take(attempts: 2)
    guard isDrained() else { return }
    run.expect(taken.numbers, taken.accepted, "taken when the queue was drained")
    run.pause("between two looks")
    run.expect(dequeue() == nil, "an element came after the queue was drained")
  }
  run.check {
    taken.expectAll(at: 0...3)
    run.expect(isDrained(), "not drained in the end")
  }
}

/// What was put in place of others: each comes out once, taken or replaced.
private final class Overwritten {
  let taken: Taken
  private let run: Run
  private let queue: MPMCQueue<Payload>

  init(_ run: Run, _ queue: MPMCQueue<Payload>) {
    self.run = run
    self.queue = queue
    taken = Taken(run, isOrdered: false) { queue.dequeue() }
  }

  func put(_ number: Int) {
    switch queue.overwrite(with: run.payload(number)) {
    case .appended: taken.accepted.append(number)
    case .replaced(let old):
      taken.accepted.append(number)
      taken.note(old)
    case .closed(let back): run.expect(back.number, number, "given back")
    }
  }

  func expectAll(at counts: ClosedRange<Int>) { taken.expectAll(at: counts) }
}
