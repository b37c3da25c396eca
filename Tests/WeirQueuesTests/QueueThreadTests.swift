// Threads at both ends of each queue: every element arrives once, in the order of its producer, whichever side closes.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct QueueThreadTests {
  private let lifetimes = Lifetimes()

  /// How elements are put in and taken out.
  enum Way: CaseIterable { case single, batches }

  @Test(arguments: QueueKind.allCases, Way.allCases) func producersClose(_ kind: QueueKind, _ way: Way) {
    let finished = Counter()
    let ends = Ends(kind, lifetimes)
    onThreads(ends.producers + ends.consumers) { thread in
      guard thread < ends.producers else { return ends.receive(thread, by: way) }
      ends.send(thread, count: 4_000, by: way)
      if finished.add() == ends.producers { ends.queue.close() }
    }
    ends.expectAll(accepted: Array(repeating: 4_000, count: ends.producers))
    #expect(lifetimes.live == 0)
  }

  /// Senders learn that nobody wants more; what they were told is taken comes out.
  @Test(arguments: QueueKind.allCases, [0, 1, 700]) func consumersClose(_ kind: QueueKind, _ count: Int) {
    let ends = Ends(kind, lifetimes)
    ends.closesAfter = count
    let accepted = Shared([Int](repeating: 0, count: ends.producers))
    let lock = Lock(())
    onThreads(ends.producers + ends.consumers) { thread in
      guard thread < ends.producers else { return ends.receive(thread, by: .single) }
      let sent = ends.send(thread, count: .max, by: .single)
      lock.withLock { _ in accepted.value[thread] = sent }
    }
    ends.expectAll(accepted: accepted.value)
    #expect(lifetimes.live == 0)
  }

  /// What is overwritten comes out at the end of who has overwritten it.
  @Test(arguments: [1, 2, 64]) func overwritersLoseNothing(capacity: Int) {
    let queue = MPMCQueue<Int>(minimumCapacity: capacity)
    let seen = (0..<3).map { _ in Shared([Int]()) }
    let finished = Counter()
    onThreads(3) { thread in
      guard thread < 2 else {
        while finished.value < 2 || !queue.isEmpty {
          if let number = queue.dequeue() { seen[2].value.append(number) } else { yieldThread() }
        }
        return
      }
      for number in 0..<5_000 {
        if case .replaced(let old) = queue.overwrite(with: 2 * number + thread) { seen[thread].value.append(old) }
      }
      finished.add()
    }
    #expect(seen.flatMap(\.value).sorted() == Array(0..<10_000))
    #expect(isRisingByProducer(seen[2].value))
  }

  private func isRisingByProducer(_ numbers: [Int]) -> Bool {
    [0, 1].allSatisfy { rest in
      let own = numbers.filter { $0 % 2 == rest }
      return own == own.sorted()
    }
  }
}

/// The threads of a queue, and what comes out of it.
private final class Ends: @unchecked Sendable {
  let queue: AnyQueue<Message>
  let producers: Int
  let consumers: Int
  /// How many elements consumers take until they close; never if it is `nil`.
  var closesAfter: Int?
  private let lifetimes: Lifetimes
  private let taken = Counter()
  private let inboxes: [Shared<[Message]>]

  struct Message {
    let producer: Int
    let number: Int
    let tracked: LifetimeTracked
  }

  init(_ kind: QueueKind, _ lifetimes: Lifetimes) {
    queue = kind.make(holding: 16)
    producers = QueueKind.oneProducer.contains(kind) ? 1 : 3
    consumers = QueueKind.manyConsumers.contains(kind) ? 2 : 1
    self.lifetimes = lifetimes
    inboxes = (0..<consumers).map { _ in Shared([]) }
  }

  /// - Returns: How many were accepted before the queue was closed.
  @discardableResult
  func send(_ producer: Int, count: Int, by way: QueueThreadTests.Way) -> Int {
    func message(_ number: Int) -> Message {
      Message(producer: producer, number: number, tracked: lifetimes.track(number))
    }
    var next = 0
    while next < count {
      switch way {
      case .single:
        switch queue.offer(message(next)) {
        case .taken: next += 1
        case .full(let back):
          #expect(back.number == next)
          yieldThread()
        case .closed(let back):
          #expect(back.number == next)
          return next
        }
      case .batches:
        let sent = queue.enqueueAll((next..<min(next + 1 + next % 7, count)).map(message)[...])
        if sent == 0 { yieldThread() }
        next += sent
      }
    }
    return next
  }

  func receive(_ thread: Int, by way: QueueThreadTests.Way) {
    let inbox = inboxes[thread - producers]
    if closesAfter == 0 { close() }
    while !queue.isDrained() {
      let count =
        switch way {
        case .single: queue.drain(1) { inbox.value.append($0) }
        case .batches: queue.dequeueAll(5, &inbox.value)
        }
      if count == 0 { yieldThread() }
      if taken.add(count) == closesAfter { close() }
    }
  }

  private func close() {
    if let closeReceiving = queue.closeReceiving { closeReceiving() } else { queue.close() }
  }

  func expectAll(accepted: [Int], at location: SourceLocation = #_sourceLocation) {
    for producer in 0..<producers {
      let numbers = inboxes.map { inbox in inbox.value.filter { $0.producer == producer }.map(\.number) }
      #expect(numbers.allSatisfy { $0 == $0.sorted() }, sourceLocation: location)
      #expect(numbers.flatMap { $0 }.sorted() == Array(0..<accepted[producer]), sourceLocation: location)
    }
    for inbox in inboxes { inbox.value = [] }
  }
}
