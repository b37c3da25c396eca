// Programs whose threads meet: what each value costs them is counted by `--contention`.

import Weir
import WeirQueues
import WeirVerify

/// A program whose threads pass `values` values.
struct ContentionProgram {
  let scenario: Scenario
  var values: Int { count }

  init(_ name: String, _ body: @escaping @Sendable (Run) -> Void) { scenario = Scenario(name, body) }
}

/// How many values the threads of a program pass, each as many as the others.
private let count = 40

/// Threads that send, each its own values, to one sink.
///
/// - Parameter make: Makes the stream of a sink that counts, and returns what a thread sends with, and what ends all.
private func senders(
  _ name: String, threads: Int,
  _ make: @escaping @Sendable (Held<Int>) -> (send: (_ thread: Int, _ value: Int) -> Void, end: AnyCancellable)
) -> ContentionProgram {
  ContentionProgram(name) { run in
    let received = Held(0)
    let (send, end) = make(received)
    for thread in 0..<threads {
      run.thread("sender \(thread)") { for value in 1...count / threads { send(thread, value) } }
    }
    run.check {
      run.expect(received.value, count, "values received")
      end.cancel()
    }
  }
}

private func sink(_ stream: some Publisher<Int, Never>, _ received: Held<Int>) -> AnyCancellable {
  stream.sink { _ in received.value += 1 }
}

/// Threads that put values into a queue, and one that takes them out.
private func queue(
  _ name: String, producers: Int,
  _ make: @escaping @Sendable () -> (put: (Int) -> Bool, take: () -> Int?)
) -> ContentionProgram {
  ContentionProgram(name) { run in
    let (put, take) = make()
    for producer in 0..<producers {
      run.thread("producer \(producer)") { for value in 1...count / producers { while !put(value) { spinHint() } } }
    }
    run.thread("consumer") {
      var taken = 0
      while taken < count { if take() == nil { spinHint() } else { taken += 1 } }
    }
  }
}

let contentionPrograms = [
  senders("subject/wait-2", threads: 2) { received in
    let subject = PassthroughSubject<Int, Never>()
    return ({ _, value in subject.send(value) }, sink(subject, received))
  },
  senders("subject/wait-4", threads: 4) { received in
    let subject = PassthroughSubject<Int, Never>()
    return ({ _, value in subject.send(value) }, sink(subject, received))
  },
  senders("subject/hand-over-2", threads: 2) { received in
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    return ({ _, value in subject.send(value) }, sink(subject, received))
  },
  senders("subject/current-value-2", threads: 2) { received in
    let subject = CurrentValueSubject<Int, Never>(0)
    return ({ _, value in subject.send(value) }, sink(subject.dropFirst(), received))
  },
  senders("join/merge-2", threads: 2) { received in
    let subjects = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    return ({ thread, value in subjects[thread].send(value) }, sink(subjects[0].merge(with: subjects[1]), received))
  },
  senders("join/flat-map-2", threads: 2) { received in
    let subjects = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let outer = PassthroughSubject<Int, Never>()
    let cancellable = sink(outer.flatMap { subjects[$0] }, received)
    outer.send(0)
    outer.send(1)
    return ({ thread, value in subjects[thread].send(value) }, cancellable)
  },
  queue("queue/spsc-ring", producers: 1) {
    let ring = SPSCRing<Int>(minimumCapacity: 8)
    return ({ ring.enqueue($0) }, { ring.dequeue() })
  },
  queue("queue/mpsc-2", producers: 2) {
    let queue = MPSCQueue<Int>()
    return ({ queue.enqueue($0) }, { queue.dequeue() })
  },
  queue("queue/mpmc-2", producers: 2) {
    let queue = MPMCQueue<Int>(minimumCapacity: 8)
    return ({ queue.enqueue($0) }, { queue.dequeue() })
  },
  ContentionProgram("lock/word-lock-2") { run in
    let lock = WordLocked()
    for thread in 1...2 { run.thread("thread \(thread)") { for _ in 1...count / 2 { lock.increase() } } }
    run.check { run.expect(lock.value, count, "increases") }
  },
]

/// A number behind the lock that is one word.
private final class WordLocked {
  private let lock = WordLock()
  private(set) var value = 0

  func increase() {
    lock.lock()
    value += 1
    lock.unlock()
  }
}

// MARK: Planted faults

/// A program without a fault, and the same with one, each of which must be found to cost more.
let plantedContention = [
  counter("planted/plain"), counter("planted/extra-exchange", exchanges: 1), counter("planted/longer-lock", looks: 4),
  counter("planted/shared-line", sharesLine: true),
]

/// Two threads that add to a word and take a lock for each value.
///
/// - Parameters:
///   - exchanges: How many compare-exchanges that change nothing there are besides.
///   - looks: How often the word is looked at with the lock.
///   - sharesLine: Whether words that each thread has for itself are beside each other.
private func counter(
  _ name: String, exchanges: Int = 0, looks: Int = 1, sharesLine: Bool = false
) -> ContentionProgram {
  ContentionProgram(name) { run in
    let counter = Counter()
    for thread in 0..<2 {
      run.thread("thread \(thread)") {
        for _ in 1...count / 2 {
          counter.increase(exchanges: exchanges, looks: looks)
          counter.note(thread, sharesLine: sharesLine)
        }
      }
    }
    run.check { run.expect(counter.value.relaxedLoad(), count, "increases") }
  }
}

private final class Counter {
  let value = AtomicWord(0)
  private let lock = Lock(0)
  private let padding = CacheLinePadding()
  private let first = AtomicWord(0)
  private let besideFirst = AtomicWord(0)
  private let morePadding = CacheLinePadding()
  private let second = AtomicWord(0)

  func increase(exchanges: Int, looks: Int) {
    _ = value.add(1)
    for _ in 0..<exchanges { _ = value.compareExchange(expected: -1, desired: -1) }
    lock.withLock { seen in for _ in 0..<looks { seen = value.relaxedLoad() } }
  }

  func note(_ thread: Int, sharesLine: Bool) {
    if thread == 0 {
      first.relaxedStore(1)
    } else if sharesLine {
      besideFirst.relaxedStore(1)
    } else {
      second.relaxedStore(1)
    }
  }
}
