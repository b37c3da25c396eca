// Linearizability: what several threads ask of an object at once has an order in which one thread could have asked it,
// and got the same answers.

import Weir
import WeirQueues
import WeirState
import WeirVerify

let historyScenarios = [
  // Queues: one producer, and then two, whose consumer waits for each element.
  Scenario("history/spsc-ring", bound: 3) { run in
    let ring = SPSCRing<Int>(minimumCapacity: 4)
    run.keep(ring)
    oneProducer(run, capacity: 4, { ring.enqueue($0) }, { ring.dequeue() })
  },
  Scenario("history/spsc", bound: 3) { run in
    let queue = SPSCLinkedQueue<Int>()
    run.keep(queue)
    oneProducer(run, capacity: .max, { queue.enqueue($0) }, { queue.dequeue() })
  },
  Scenario("history/mpsc", bound: 2) { run in
    let queue = MPSCQueue<Int>()
    run.keep(queue)
    twoProducers(run, { queue.enqueue($0) }, { queue.dequeue() })
  },
  Scenario("history/mpmc", bound: 2) { run in
    let queue = MPMCQueue<Int>(minimumCapacity: 4)
    run.keep(queue)
    twoProducers(run, { queue.enqueue($0) }, { queue.dequeue() })
  },
  // A subject: all hear one order of what is sent, those who come late the end of it.
  Scenario("history/subject-subscribe", bound: 2) { run in
    let subject = PassthroughSubject<Int, Never>()
    let recorded = Recorded(run, subject, StreamModel())
    recorded.subscribe(0)
    run.thread("sender") { (11...12).forEach(recorded.send) }
    run.thread("sender 2") { recorded.send(21) }
    run.thread("subscriber") { recorded.subscribe(1) }
  },
  Scenario("history/subject-cancel", bound: 2) { run in
    let subject = PassthroughSubject<Int, Never>()
    let recorded = Recorded(run, subject, StreamModel())
    recorded.subscribe(0)
    run.thread("sender") { (11...12).forEach(recorded.send) }
    run.thread("sender 2") { recorded.send(21) }
    run.thread("canceller") {
      recorded.cancel(0)
      recorded.subscribe(1)
    }
  },
  Scenario("history/subject-end", bound: 2) { run in
    let subject = PassthroughSubject<Int, Never>()
    let recorded = Recorded(run, subject, StreamModel())
    recorded.subscribe(0)
    run.thread("sender") { (11...12).forEach(recorded.send) }
    run.thread("completer") { recorded.end() }
    run.thread("subscriber") { recorded.subscribe(1) }
  },
  // The value is what was sent last, to those who read it and to those who subscribe.
  Scenario("history/current", bound: 2) { run in
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorded = Recorded(run, subject, StreamModel(replayed: 1, sent: [1]))
    func read() { recorded.history.record(.read) { [subject.value] } }
    run.thread("sender") {
      recorded.send(11)
      read()
    }
    run.thread("sender 2") {
      recorded.send(21)
      read()
    }
    run.thread("subscriber") {
      read()
      recorded.subscribe(0)
    }
  },
  // Who comes late gets the last two, and then the end.
  Scenario("history/replay", bound: 2) { run in
    let core = ReplayCore<Int, Never>(limit: 2, name: "Replay")
    let recorded = Recorded(
      run, StreamModel(replayed: 2), subscribe: { core.subscribe($0) }, send: { core.send($0) },
      end: { core.send(completion: .finished) })
    recorded.send(1)
    run.thread("sender") { (11...12).forEach(recorded.send) }
    run.thread("completer") { recorded.end() }
    run.thread("subscriber") { recorded.subscribe(0) }
  },
  // A promise is kept once, by the first of two.
  Scenario("history/promise", bound: 2) { run in
    let promise = Held<Future<Int, Never>.Promise?>(nil)
    let future = Future<Int, Never> { promise.value = $0 }
    let keep = promise.value!
    promise.value = nil
    let recorded = Recorded(
      run, PromiseModel(), subscribe: { future.subscribe($0) }, send: { keep(.success($0)) }, end: {})
    recorded.subscribe(0)
    run.thread("keeper") { recorded.send(11) }
    run.thread("keeper 2") { recorded.send(21) }
    run.thread("subscriber") { recorded.subscribe(1) }
  },
  // A state: changes in place are one step, and everybody hears all in one order.
  Scenario("history/state", bound: 2) { run in
    let state = ValueSubject(wrappedValue: 1)
    let recorded = Recorded(
      run, StreamModel(replayed: 1, sent: [1]), subscribe: { state.justNew().subscribe($0) },
      send: { state.wrappedValue = $0 }, end: {})
    func increment() {
      recorded.history.record(.increment) {
        let number = state.withLock { (number: inout Int) -> Int in
          number += 1
          return number
        }
        return [number]
      }
    }
    recorded.subscribe(0)
    run.thread("writer") { increment() }
    run.thread("writer 2") {
      recorded.send(21)
      increment()
    }
    run.thread("reader") { recorded.history.record(.read) { [state.wrappedValue] } }
  },
]

// MARK: Queues

/// A queue as one thread would see it.
private struct QueueModel: SequentialSpecification {
  enum Operation { case put(Int), take }
  enum Outcome: Equatable { case isIn(Bool), taken(Int?) }

  let capacity: Int
  private var elements: [Int] = []

  init(capacity: Int) { self.capacity = capacity }

  mutating func perform(_ operation: Operation) -> Outcome {
    switch operation {
    case .put(let number):
      guard elements.count < capacity else { return .isIn(false) }
      elements.append(number)
      return .isIn(true)
    case .take: return .taken(elements.isEmpty ? nil : elements.removeFirst())
    }
  }
}

/// A producer of three elements, and a consumer that looks for as many.
private func oneProducer(
  _ run: Run, capacity: Int, _ enqueue: @escaping (Int) -> Bool, _ dequeue: @escaping () -> Int?
) {
  let history = run.history(of: QueueModel(capacity: capacity))
  run.thread("producer") { for number in 11...13 { history.record(.put(number)) { .isIn(enqueue(number)) } } }
  run.thread("consumer") { for _ in 1...3 { history.record(.take) { .taken(dequeue()) } } }
}

/// Two producers of three elements together, and a consumer that waits for two: it may find none where a producer that
/// came before another has not finished.
private func twoProducers(_ run: Run, _ enqueue: @escaping (Int) -> Bool, _ dequeue: @escaping () -> Int?) {
  let history = run.history(of: QueueModel(capacity: .max))
  run.thread("producer") { for number in 11...12 { history.record(.put(number)) { .isIn(enqueue(number)) } } }
  run.thread("producer 2") { history.record(.put(21)) { .isIn(enqueue(21)) } }
  run.thread("consumer") {
    for _ in 1...2 {
      history.record(.take) {
        while true {
          if let number = dequeue() { return .taken(number) }
          spinHint()
        }
      }
    }
  }
}

// MARK: Streams

/// What may be asked of something that has subscribers, who have numbers.
private enum Request { case subscribe(Int), cancel(Int), send(Int), end, read, increment, look(Int) }

/// The end of a stream among the numbers that a subscriber has got.
private let endMark = -1

/// A subject as one thread would see it. It answers with what was read, or what a subscriber has got.
private struct StreamModel: SequentialSpecification {
  /// How many of the values sent before a new subscriber gets.
  let replayed: Int
  private var sent: [Int]
  private var isOver = false
  private var listening: Set<Int> = []
  private var received: [Int: [Int]] = [:]

  init(replayed: Int = 0, sent: [Int] = []) {
    self.replayed = replayed
    self.sent = sent
  }

  mutating func perform(_ request: Request) -> [Int] {
    switch request {
    case .subscribe(let subscriber):
      received[subscriber] = Array(sent.suffix(replayed)) + (isOver ? [endMark] : [])
      listening.insert(subscriber)
    case .cancel(let subscriber): listening.remove(subscriber)
    case .send(let number): send(number)
    case .end:
      tell(endMark)
      isOver = true
    case .read: return sent.suffix(1)
    case .increment:
      send((sent.last ?? 0) + 1)
      return sent.suffix(1)
    case .look(let subscriber): return received[subscriber] ?? []
    }
    return []
  }

  private mutating func send(_ number: Int) {
    tell(number)
    if !isOver { sent.append(number) }
  }

  private mutating func tell(_ number: Int) {
    guard !isOver else { return }
    for subscriber in listening { received[subscriber, default: []].append(number) }
  }
}

/// A future as one thread would see it; to send is to keep the promise.
private struct PromiseModel: SequentialSpecification {
  private var kept: Int?
  private var waiting: Set<Int> = []
  private var received: [Int: [Int]] = [:]

  mutating func perform(_ request: Request) -> [Int] {
    switch request {
    case .subscribe(let subscriber):
      waiting.insert(subscriber)
      deliver()
    case .cancel(let subscriber): waiting.remove(subscriber)
    case .send(let number):
      if kept == nil { kept = number }
      deliver()
    case .look(let subscriber): return received[subscriber] ?? []
    case .end, .read, .increment: break
    }
    return []
  }

  private mutating func deliver() {
    guard let kept else { return }
    for subscriber in waiting { received[subscriber] = [kept, endMark] }
    waiting = []
  }
}

/// Something with two subscribers at most, and a history of what is asked of it: at last, when all threads have ended,
/// what the subscribers have got.
private final class Recorded<Specification: SequentialSpecification>
where Specification.Operation == Request, Specification.Outcome == [Int] {
  let history: History<Specification>
  private let probes: [Probe<Int, Never>]
  private let subscriber: (Probe<Int, Never>) -> Void
  private let sender: (Int) -> Void
  private let completer: () -> Void

  /// - Parameters:
  ///   - specification: What it is to one thread.
  ///   - subscribe: Attaches a subscriber, which asks for everything.
  ///   - send: Sends a value, or keeps a promise with it.
  ///   - end: Ends the stream.
  init(
    _ run: Run, _ specification: Specification, subscribe: @escaping (Probe<Int, Never>) -> Void,
    send: @escaping (Int) -> Void, end: @escaping () -> Void
  ) {
    let history = run.history(of: specification)
    let probes = [Probe<Int, Never>(run), Probe<Int, Never>(run)]
    self.history = history
    self.probes = probes
    subscriber = subscribe
    sender = send
    completer = end
    run.keep(self)
    run.check {
      for (number, probe) in probes.enumerated() {
        history.record(.look(number)) { probe.values + Array(repeating: endMark, count: probe.completions) }
        probe.end()
      }
    }
  }

  convenience init(_ run: Run, _ subject: some Subject<Int, Never>, _ specification: Specification) {
    self.init(
      run, specification, subscribe: { subject.subscribe($0) }, send: { subject.send($0) },
      end: { subject.send(completion: .finished) })
  }

  func subscribe(_ number: Int) { record(.subscribe(number)) { subscriber(probes[number]) } }
  func cancel(_ number: Int) { record(.cancel(number)) { probes[number].subscription?.cancel() } }
  func send(_ number: Int) { record(.send(number)) { sender(number) } }
  func end() { record(.end) { completer() } }

  private func record(_ request: Request, _ body: () -> Void) {
    history.record(request) {
      body()
      return []
    }
  }
}
