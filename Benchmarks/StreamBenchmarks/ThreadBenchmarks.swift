// Values that cross threads, and threads that send at the same time.

import Dispatch
import Gauge
import Weir
import WeirDispatch

@BenchmarkBuilder var threadBenchmarks: [Benchmark] {
  // A burst to another queue, where each value has a job: one operation sends it and waits for its last value.
  Benchmark(
    "thread/receive-on", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/one-block-per-value"
  ) { run in
    measureBursts(run) { $0.receive(on: DispatchQueue(label: "benchmark")) }
  }

  // The same in batches.
  Benchmark(
    "thread/receive-on/batches", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/burst-to-queue"
  ) { run in
    measureBursts(run) { $0.receive(on: DispatchQueue(label: "benchmark"), options: .batches()) }
  }

  // One value to a queue, and a semaphore back.
  Benchmark("thread/hop-and-back", threads: .several, openLoopRate: hopRate, limit: "limit/dispatch-async") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let arrived = DispatchSemaphore(value: 0)
    let sink = subject.receive(on: DispatchQueue(label: "benchmark")).sink { _ in arrived.signal() }
    run.measure {
      subject.send(1)
      arrived.wait()
    }
    sink.cancel()
  }

  // One value to a queue: an operation is over when the sender, which spins meanwhile, sees that the value has arrived.
  // So its latency is that of one way, and of a cache line back.
  Benchmark("thread/one-way", threads: .several, openLoopRate: hopRate, limit: "limit/dispatch-async/one-way") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let arrivals = ArrivalCounter()
    let sink = subject.receive(on: DispatchQueue(label: "benchmark")).sink { _ in arrivals.arrive() }
    var sent = 0
    run.measure {
      sent += 1
      subject.send(sent)
      arrivals.wait(for: sent)
    }
    sink.cancel()
  }

  // Threads that send to one subject at the same time, each of which delivers its own values.
  Benchmark(
    "thread/passthrough-send", over: .values("threads", [1, 2, 4, 8]), threads: .several, passes: .withoutLatency,
    limit: "limit/shared-add"
  ) { run in
    let subject = PassthroughSubject<Int, Never>()
    var delivered = 0
    let sink = subject.sink { value in
      blackHole(value)
      delivered &+= 1
    }
    let sent = measureSenders(run["threads"], run) { _, value in subject.send(value) }
    sink.cancel()
    try WrongResult.check(delivered, expected: sent)
  }

  // The same to ten sinks.
  Benchmark(
    "thread/passthrough-send/ten-sinks", over: .values("threads", [2, 4, 8]), threads: .several,
    passes: .withoutLatency, limit: "limit/shared-add"
  ) { run in
    let subject = PassthroughSubject<Int, Never>()
    let delivered = (0..<10).map { _ in DeliveryCount() }
    let sinks = delivered.map { count in
      subject.sink { value in
        blackHole(value)
        count.values &+= 1
      }
    }
    let sent = measureSenders(run["threads"], run) { _, value in subject.send(value) }
    for sink in sinks { sink.cancel() }
    for count in delivered { try WrongResult.check(count.values, expected: sent) }
  }

  // The same where senders hand over what they send instead of waiting: a round is over when all of it is delivered.
  Benchmark(
    "thread/passthrough-send/hand-over", over: .values("threads", [2, 4, 8]), threads: .several,
    passes: .withoutLatency, limit: "limit/shared-add"
  ) { run in
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let arrived = DispatchSemaphore(value: 0)
    var delivered = 0
    let sink = subject.sink { value in
      blackHole(value)
      delivered &+= 1
      if delivered % valuesPerRound == 0 { arrived.signal() }
    }
    let sent = measureSenders(run["threads"], run, awaiting: arrived) { _, value in subject.send(value) }
    sink.cancel()
    try WrongResult.check(delivered, expected: sent)
  }

  Benchmark(
    "thread/current-value-send", over: .values("threads", [2, 8]), threads: .several, passes: .withoutLatency,
    limit: "limit/shared-add"
  ) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    var delivered = 0
    let sink = subject.sink { value in
      blackHole(value)
      delivered &+= 1
    }
    let sent = measureSenders(run["threads"], run) { _, value in subject.send(value) }
    sink.cancel()
    // The first value counts too.
    try WrongResult.check(delivered, expected: sent + 1)
  }

  // One thread sends while the other one reads.
  Benchmark(
    "thread/current-value-read", over: .values("threads", [2]), threads: .several, passes: .withoutLatency,
    limit: "limit/shared-add"
  ) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let sink = subject.sink { blackHole($0) }
    measureSenders(run["threads"], run) { number, value in
      if number == 0 { subject.send(value) } else { blackHole(subject.value) }
    }
    sink.cancel()
  }

  // A subject for each thread, through one flatMap.
  Benchmark(
    "thread/flatmap", over: .values("threads", [2, 8]), threads: .several, passes: .withoutLatency,
    limit: "limit/shared-add"
  ) { run in
    let inners = (0..<run["threads"]).map { _ in PassthroughSubject<Int, Never>() }
    let outer = PassthroughSubject<Int, Never>()
    var delivered = 0
    let sink = outer.flatMap { inners[$0] }.sink { value in
      blackHole(value)
      delivered &+= 1
    }
    for number in inners.indices { outer.send(number) }
    let sent = measureSenders(inners.count, run) { number, value in inners[number].send(value) }
    sink.cancel()
    try WrongResult.check(delivered, expected: sent)
  }

  // A subject for each thread, with nothing in common.
  Benchmark(
    "thread/private-subjects", over: .values("threads", [1, 2]), threads: .several, passes: .withoutLatency,
    limit: "limit/closure-call"
  ) { run in
    let subjects = (0..<run["threads"]).map { _ in PassthroughSubject<Int, Never>() }
    let sinks = subjects.map { $0.sink { blackHole($0) } }
    measureSenders(subjects.count, run) { number, value in subjects[number].send(value) }
    withExtendedLifetime(sinks) {}
  }

  // A subject for each thread; one value of each makes a pair.
  Benchmark("thread/zip", over: .values("threads", [2]), threads: .several, passes: .withoutLatency) { run in
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    var delivered = 0
    let sink = left.zip(right).sink { value in
      blackHole(value)
      delivered &+= 1
    }
    let sent = measureSenders(run["threads"], run) { number, value in (number == 0 ? left : right).send(value) }
    sink.cancel()
    try WrongResult.check(2 * delivered, expected: sent)
  }

  // Half of the threads send while the others subscribe and cancel.
  Benchmark("thread/subscribe-cancel", over: .values("threads", [2, 4, 8]), threads: .several, passes: .withoutLatency)
  {
    run in
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.sink { blackHole($0) }
    measureSenders(run["threads"], run) { number, value in
      if number.isMultiple(of: 2) {
        subject.send(value)
      } else {
        subject.sink { blackHole($0) }.cancel()
      }
    }
    sink.cancel()
  }

  // A burst through two queues after each other.
  Benchmark(
    "thread/receive-on/pipeline", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/spsc-queue/threads"
  ) { run in
    measureBursts(run) { $0.receive(on: DispatchQueue(label: "first")).receive(on: DispatchQueue(label: "second")) }
  }

  // A burst to a queue that runs blocks at the same time; the values still come one after another.
  Benchmark(
    "thread/receive-on/concurrent", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/spsc-queue/threads"
  ) { run in
    measureBursts(run) { $0.receive(on: DispatchQueue(label: "concurrent", attributes: .concurrent)) }
  }

  // A burst whose values come from four inner streams, each on a queue of its own.
  Benchmark(
    "thread/flatmap/inners-on-queues", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/spsc-queue/threads"
  ) { run in
    let arrived = DispatchSemaphore(value: 0)
    let (burst, delivered) = (run["burst"], DeliveryCount())
    let inners = (0..<4).map { _ in opaque(PassthroughSubject<Int, Never>()) }
    let outer = PassthroughSubject<Int, Never>()
    let sink = outer.flatMap { inners[$0].receive(on: DispatchQueue(label: "inner \($0)")) }.sink { value in
      blackHole(value)
      delivered.values += 1
      if delivered.values % burst == 0 { arrived.signal() }
    }
    for number in inners.indices { outer.send(number) }
    run.elements = burst
    run.measure {
      for value in 0..<burst { inners[value & 3].send(value) }
      arrived.wait()
    }
    sink.cancel()
  }

  // Subscribes per operation: a thousand values that another queue asks for and delivers.
  Benchmark(
    "thread/subscribe-on", over: .values("elements", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/burst-to-queue"
  ) { run in
    let arrived = DispatchSemaphore(value: 0)
    let elements = opaque(Array(0..<run["elements"]))
    let queue = DispatchQueue(label: "benchmark")
    run.elements = elements.count
    run.measure {
      let sink = elements.publisher.subscribe(on: queue)
        .sink(receiveCompletion: { _ in arrived.signal() }, receiveValue: { blackHole($0) })
      arrived.wait()
      sink.cancel()
    }
  }

  // A burst that goes to three queues: an operation is over when all of them have it.
  Benchmark(
    "thread/receive-on/three-queues", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/spsc-queue/threads"
  ) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let (burst, arrived) = (run["burst"], DispatchSemaphore(value: 0))
    let sinks = (0..<3).map { number in
      subject.receive(on: DispatchQueue(label: "receiver \(number)")).sink { value in
        blackHole(value)
        if value == burst { arrived.signal() }
      }
    }
    run.elements = burst
    run.measure {
      for value in 1...burst { subject.send(value) }
      for _ in sinks { arrived.wait() }
    }
    for sink in sinks { sink.cancel() }
  }

  // A burst that forks to two queues and joins again: an operation is over when all pairs have come.
  Benchmark(
    "thread/diamond", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency,
    limit: "limit/spsc-queue/threads"
  ) { run in
    measureBursts(run) { subject in
      subject.receive(on: DispatchQueue(label: "left"))
        .zip(subject.receive(on: DispatchQueue(label: "right"))) { left, _ in left }
    }
  }

  // Threads that send to one subject, whose values go to a queue: an operation is over when all have arrived there.
  Benchmark(
    "thread/send-receive-on", over: .values("threads", [1, 2, 4, 8]), threads: .several, passes: .withoutLatency,
    limit: "limit/spsc-queue/threads"
  ) { run in
    let subject = PassthroughSubject<Int, Never>()
    let arrived = DispatchSemaphore(value: 0)
    var delivered = 0
    let sink = subject.receive(on: DispatchQueue(label: "benchmark")).sink { value in
      blackHole(value)
      delivered += 1
      if delivered % valuesPerRound == 0 { arrived.signal() }
    }
    let sent = measureSenders(run["threads"], run, awaiting: arrived) { _, value in subject.send(value) }
    sink.cancel()
    try WrongResult.check(delivered, expected: sent)
  }
}

/// How many values have arrived, where only one thread at a time counts.
private final class DeliveryCount {
  var values = 0
}

/// Measures bursts from a subject, through what crosses threads: an operation sends one and waits for its last value.
private func measureBursts<Crossing: Publisher<Int, Never>>(
  _ run: BenchmarkRun, through make: (PassthroughSubject<Int, Never>) -> Crossing
) {
  let subject = opaque(PassthroughSubject<Int, Never>())
  let burst = run["burst"]
  let arrived = DispatchSemaphore(value: 0)
  let sink = make(subject).sink { value in
    blackHole(value)
    if value == burst { arrived.signal() }
  }
  run.elements = burst
  run.measure {
    for value in 1...burst { subject.send(value) }
    arrived.wait()
  }
  sink.cancel()
}

/// Values that all threads together send in an operation, however many they are: far longer than waking them.
let valuesPerRound = 16_000

/// Measures rounds in which threads send at the same time.
///
/// - Parameters:
///   - threads: How many threads; they divide `valuesPerRound`.
///   - arrived: What an operation waits for once all have sent, if sending does not deliver.
///   - send: Sends a value, given the number of the thread.
/// - Returns: How many values were sent.
@discardableResult
func measureSenders(
  _ threads: Int, _ run: BenchmarkRun, awaiting arrived: DispatchSemaphore? = nil,
  send: @escaping (_ thread: Int, _ value: Int) -> Void
) -> Int {
  let share = valuesPerRound / threads
  let senders = SenderThreads(threads) { number in
    for value in 0..<share { send(number, value) }
  }
  run.elements = valuesPerRound
  run.countedOperations = 50
  var sent = 0
  run.measure {
    senders.runRound()
    arrived?.wait()
    sent += valuesPerRound
  }
  senders.end()
  return sent
}
