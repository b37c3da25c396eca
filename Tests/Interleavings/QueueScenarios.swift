// Queues: what is taken was put in, once, in each producer's order, and seen as its producer left it.

import WeirQueues
import WeirVerify

let queueScenarios = [
  Scenario("spsc/push-pop", bound: 4) { run in pushAndPop(run, used: 0) },
  // The second push links a segment, the second pop hands one back, which the fourth push takes and the fifth fills up.
  Scenario("spsc/segments", bound: 4) { run in pushAndPop(run, used: 1, count: 5) },
  Scenario("spsc-ring/full-empty", bound: 5) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 2)
    let taken = Taken(run) { ring.dequeue() }
    run.thread("producer") { (11...14).forEach { number in taken.put(number) { ring.enqueue($0) } } }
    run.thread("consumer") { taken.take(attempts: 3) }
    run.check { taken.expectAll(at: 2...4) }
  },
  Scenario("spsc-ring/batches", bound: 5) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 4)
    let taken = Taken(run) { ring.dequeue() }
    run.thread("producer") {
      for first in [11, 14] { taken.putAll(first...first + 2) { ring.enqueue(contentsOf: $0) } }
    }
    run.thread("consumer") {
      for _ in 1...2 {
        var batch: [Payload] = []
        ring.dequeue(atMost: 2, into: &batch)
        batch.forEach(taken.note)
      }
    }
    run.check { taken.expectAll(at: 4...6) }
  },
  Scenario("spsc-ring/close", bound: 5) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 2)
    let taken = Taken(run) { ring.dequeue() }
    run.thread("producer") {
      (11...12).forEach { number in taken.put(number) { ring.enqueue($0) } }
      ring.close()
      run.expect(!ring.enqueue(run.payload(13)), "a closed ring took an element")
    }
    run.thread("consumer") {
      taken.take(attempts: 2)
      if ring.isDrained { run.expect(taken.numbers, [11, 12], "taken when the ring was drained") }
    }
    run.check {
      taken.expectAll(at: 2...2)
      run.expect(ring.isDrained, "not drained in the end")
    }
  },
  Scenario("mpsc/two-producers", bound: 3) { run in twoProducers(run, used: 0) },
  // The second push links a segment; the consumer has given one back before.
  Scenario("mpsc/segments", bound: 3) { run in twoProducers(run, used: 4) },
  // A long queue, so that the consumer frees a segment that a slow producer has looked up, and others come from a run.
  Scenario("mpsc/freed-segments", bound: 2) { run in
    let queue = MPSCQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    for number in 1...8 { taken.put(number) { queue.enqueue($0) } }
    run.thread("slow producer") { taken.put(11) { queue.enqueue($0) } }
    run.thread("producer") { (21...22).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.thread("consumer") { taken.take(attempts: 10) }
    run.check { taken.expectAll(at: 11...11) }
  },
  Scenario("spsc/freed-segments", bound: 3) { run in pushAndPop(run, used: 0, count: 7, waiting: 5) },
  Scenario("mpsc/close", bound: 4) { run in
    let queue = MPSCQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    for number in 1...2 { taken.put(number) { queue.enqueue($0) } }
    // The last slot of a segment, so that the queue is closed while the next one is being linked.
    run.thread("producer") { (11...12).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.thread("closer") {
      queue.close()
      run.expect(!queue.enqueue(run.payload(21)), "a closed queue took an element")
    }
    run.thread("consumer") {
      taken.take(attempts: 4)
      if queue.isDrained { run.expect(taken.numbers, taken.accepted, "taken when the queue was drained") }
    }
    run.check {
      taken.expectAll(at: 2...4)
      run.expect(queue.isDrained, "not drained in the end")
    }
  },
  Scenario("mpmc/one-slot", bound: 3) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 1)
    let taken = Taken(run, isOrdered: false) { queue.dequeue() }
    for number in 1...3 {
      run.thread("thread \(number)") {
        taken.put(number * 10) { queue.enqueue($0) }
        taken.take(attempts: 1)
      }
    }
    run.check { taken.expectAll(at: 1...3) }
  },
  Scenario("mpmc/two-slots", bound: 3) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 2)
    let taken = Taken(run, isOrdered: false) { queue.dequeue() }
    run.thread("producer") { (11...12).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.thread("both") {
      taken.put(21) { queue.enqueue($0) }
      taken.take(attempts: 1)
    }
    run.thread("consumer") { taken.take(attempts: 2) }
    run.check { taken.expectAll(at: 1...3) }
  },
  Scenario("mpmc/close", bound: 4) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 2)
    let taken = Taken(run) { queue.dequeue() }
    run.thread("producer") { (11...12).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.thread("closer") {
      queue.close()
      run.expect(!queue.enqueue(run.payload(21)), "a closed queue took an element")
    }
    run.thread("consumer") {
      taken.take(attempts: 2)
      if queue.isDrained { run.expect(taken.numbers, taken.accepted, "taken when the queue was drained") }
    }
    run.check {
      taken.expectAll(at: 0...2)
      run.expect(queue.isDrained, "not drained in the end")
    }
  },
]

/// What a queue has accepted, and what came out of it.
final class Taken {
  private let run: Run
  private let isOrdered: Bool
  private let dequeue: () -> Payload?
  var accepted: [Int] = []
  private(set) var numbers: [Int] = []

  /// - Parameter isOrdered: Whether there is one consumer: then the elements of each producer (the tens) are in order.
  init(_ run: Run, isOrdered: Bool = true, _ dequeue: @escaping () -> Payload?) {
    self.run = run
    self.isOrdered = isOrdered
    self.dequeue = dequeue
  }

  func put(_ number: Int, _ enqueue: (Payload) -> Bool) {
    if enqueue(run.payload(number)) { accepted.append(number) }
  }

  /// Puts several at once.
  func putAll(_ numbers: ClosedRange<Int>, _ enqueue: (ArraySlice<Payload>) -> Int) {
    let batch = numbers.map { run.payload($0) }
    accepted += numbers.prefix(enqueue(batch[...]))
  }

  func take(attempts: Int) {
    for _ in 0..<attempts { if let payload = dequeue() { note(payload) } }
  }

  func note(_ payload: Payload) {
    payload.use()
    numbers.append(payload.number)
  }

  /// Takes what is left, and expects all that was accepted, each once.
  func expectAll(at counts: ClosedRange<Int>) {
    while let payload = dequeue() { note(payload) }
    run.expect(counts.contains(accepted.count), "\(accepted.count) elements were accepted")
    run.expect(numbers.sorted(), accepted.sorted(), "taken")
    guard isOrdered else { return }
    for producer in Set(numbers.map { $0 / 10 }) {
      run.expect(rises(numbers.filter { $0 / 10 == producer }), "taken in the order \(numbers)")
    }
  }
}

/// - Parameter used: How many elements have gone through before.
private func twoProducers(_ run: Run, used: Int) {
  let queue = MPSCQueue<Payload>()
  let taken = Taken(run) { queue.dequeue() }
  for _ in 0..<used {
    queue.enqueue(run.payload())
    _ = queue.dequeue()
  }
  for producer in 1...2 {
    run.thread("producer \(producer)") {
      (1...2).forEach { number in taken.put(producer * 10 + number) { queue.enqueue($0) } }
    }
  }
  run.thread("consumer") { taken.take(attempts: 3) }
  run.check { taken.expectAll(at: 4...4) }
}

/// - Parameters:
///   - used: How many elements have gone through before.
///   - count: How many go through.
///   - waiting: How many of them are in the queue from the beginning.
private func pushAndPop(_ run: Run, used: Int, count: Int = 4, waiting: Int = 0) {
  let queue = SPSCLinkedQueue<Payload?>()
  for _ in 0..<used {
    queue.enqueue(nil)
    _ = queue.dequeue()
  }
  let popped = Held<[Int]>([])
  func pop() {
    guard let payload = queue.dequeue() else { return }
    payload?.use()
    popped.value.append(payload?.number ?? 0)
  }
  for number in 0..<waiting { queue.enqueue(run.payload(number + 1)) }
  run.thread("producer") { (waiting + 1...count).forEach { queue.enqueue(run.payload($0)) } }
  run.thread("consumer") { (1...count).forEach { _ in pop() } }
  run.check {
    (1...count).forEach { _ in pop() }
    run.expect(popped.value, Array(1...count), "popped")
    run.expect(queue.dequeue() == nil, "more is left")
  }
}
