// The bounded queues and those with several producers, with threads on both sides.

import TestKit
import Testing
import WeirQueues

@Suite(.serialized) struct SharedQueueStressTests {
  @Test(arguments: [1, 4, 64]) func theRingLosesNothing(capacity: Int) {
    check(producers: 1, consumers: 1) { () -> Ends in
      let queue = SPSCRing<Message>(minimumCapacity: capacity)
      return Ends({ queue.enqueue($0) }, { queue.dequeue() }, { queue.close() }, { queue.isDrained })
    }
  }

  @Test func theRingLosesNothingInBatches() {
    check(producers: 1, consumers: 1) { () -> Ends in
      let queue = SPSCRing<Message>(minimumCapacity: 64)
      let waiting = Shared([Message]())
      let next = Shared(0)
      return Ends(
        { queue.enqueue(contentsOf: [$0]) == 1 },
        {
          if next.value == waiting.value.count {
            waiting.value.removeAll()
            next.value = 0
            guard queue.dequeue(atMost: 16, into: &waiting.value) > 0 else { return nil }
          }
          defer { next.value += 1 }
          return waiting.value[next.value]
        }, { queue.close() }, { queue.isDrained && next.value == waiting.value.count })
    }
  }

  @Test(arguments: [1, 2, 4]) func theQueueOfManyProducersLosesNothing(producers: Int) {
    check(producers: producers, consumers: 1) { () -> Ends in
      let queue = MPSCQueue<Message>()
      return Ends({ queue.enqueue($0) }, { queue.dequeue() }, { queue.close() }, { queue.isDrained })
    }
  }

  @Test(arguments: [1, 2, 64], [1, 3]) func theQueueOfManyConsumersLosesNothing(capacity: Int, threads: Int) {
    check(producers: threads, consumers: threads) { () -> Ends in
      let queue = MPMCQueue<Message>(minimumCapacity: capacity)
      return Ends({ queue.enqueue($0) }, { queue.dequeue() }, { queue.close() }, { queue.isDrained })
    }
  }

  /// Producers run into a close at any moment: what they were told is in the queue comes out, and nothing else.
  @Test(arguments: 1...20) func closingKeepsExactlyWhatWasAccepted(seed: Int) {
    let lifetimes = Lifetimes()
    var random = SplitMix(seed: UInt64(seed))
    let closeAfter = Int.random(in: 0..<2_000, using: &random)
    do {
      let queue = MPSCQueue<Message>()
      let inbox = Inbox(senders: 2)
      let accepted = Shared([0, 0])
      let lock = Lock(())
      let taken = Counter()
      onThreads(3) { thread in
        guard thread > 0 else {
          while !queue.isDrained {
            if let message = queue.dequeue() {
              inbox.receive(message)
              if taken.add() == closeAfter { queue.close() }
            } else {
              if closeAfter == 0 { queue.close() }
              yieldThread()
            }
          }
          return
        }
        var number = 0
        while queue.enqueue(Message(sender: thread - 1, number: number, lifetimes)) {
          number += 1
          if number % 64 == 0 { yieldThread() }
        }
        lock.withLock { _ in accepted.value[thread - 1] = number }
      }
      #expect(inbox.numbers == accepted.value.map { Array(0..<$0) })
      #expect(inbox.faults == 0)
    }
    #expect(lifetimes.live == 0)
  }

  private struct Ends {
    let enqueue: (Message) -> Bool
    let dequeue: () -> Message?
    let close: () -> Void
    let isDrained: () -> Bool

    init(
      _ enqueue: @escaping (Message) -> Bool, _ dequeue: @escaping () -> Message?, _ close: @escaping () -> Void,
      _ isDrained: @escaping () -> Bool
    ) {
      self.enqueue = enqueue
      self.dequeue = dequeue
      self.close = close
      self.isDrained = isDrained
    }
  }

  /// Each producer sends its messages; the last one to finish closes; consumers go on until the queue is drained.
  private func check(producers: Int, consumers: Int, make: () -> Ends, at location: SourceLocation = #_sourceLocation) {
    let lifetimes = Lifetimes()
    let perProducer = 12_000 / producers
    do {
      let ends = make()
      let inboxes = (0..<consumers).map { _ in Inbox(senders: producers) }
      let finished = Counter()
      onThreads(producers + consumers) { thread in
        if thread < producers {
          for number in 0..<perProducer {
            let message = Message(sender: thread, number: number, lifetimes)
            while !ends.enqueue(message) { yieldThread() }
          }
          if finished.add() == producers { ends.close() }
        } else {
          while !ends.isDrained() {
            guard let message = ends.dequeue() else {
              yieldThread()
              continue
            }
            inboxes[thread - producers].receive(message)
          }
        }
      }
      #expect(inboxes.allSatisfy { $0.faults == 0 }, sourceLocation: location)
      // Of one producer's messages each consumer gets some, in order; together they are all.
      #expect(inboxes.allSatisfy { $0.isInOrder }, sourceLocation: location)
      for producer in 0..<producers {
        let numbers = inboxes.flatMap { $0.numbers[producer] }.sorted()
        #expect(numbers == Array(0..<perProducer), sourceLocation: location)
      }
    }
    #expect(lifetimes.live == 0, sourceLocation: location)
  }
}
