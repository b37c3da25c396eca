// The queue between one producer and one consumer, on two threads.

import TestKit
import Testing
import WeirQueues

@Suite(.serialized) struct QueueStressTests {
  @Test(arguments: [1, 7, 300, 100_000])
  func everyElementArrivesOnceInOrder(burst: Int) {
    let lifetimes = Lifetimes()
    let count = 30_000
    let damaged = Counter()
    do {
      let queue = SPSCLinkedQueue<Message>()
      let numbers = Shared([Int]())
      let consumed = Counter()
      onThreads([
        {
          for number in 0..<count {
            queue.enqueue(Message(sender: 0, number: number, lifetimes))
            // Bursts of different lengths: the consumer finds the queue empty, short, or far behind.
            if number % burst == burst - 1 { consumed.wait(for: number - 2 * burst) }
          }
        },
        {
          while numbers.value.count < count {
            guard let message = queue.dequeue() else {
              yieldThread()
              continue
            }
            if !message.isIntact { damaged.add() }
            numbers.value.append(message.number)
            consumed.add()
          }
        },
      ])
      #expect(numbers.value == Array(0..<count))
      #expect(queue.dequeue() == nil)
    }
    #expect(damaged.value == 0)
    #expect(lifetimes.live == 0)
  }
}
