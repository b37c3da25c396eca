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

  // MARK: Elements that come back as they are freed

  /// The optimiser frees what is taken and not used as early as it may: not before the queue has noted that.
  @Test func anElementThatTakesTheNextAsItIsFreedIsTakenOnce() {
    let ring = SPSCRing<Returning>(minimumCapacity: 8)
    #expect(freed(by: { _ = ring.enqueue($0) }, taking: { takeUnused(from: ring, 1) }) == [0, 1, 2, 3])
    let linked = SPSCLinkedQueue<Returning>()
    #expect(freed(by: { _ = linked.enqueue($0) }, taking: { takeUnused(from: linked, 1) }) == [0, 1, 2, 3])
    let several = MPSCQueue<Returning>()
    #expect(freed(by: { _ = several.enqueue($0) }, taking: { takeUnused(from: several, 1) }) == [0, 1, 2, 3])
    let shared = MPMCQueue<Returning>(minimumCapacity: 8)
    #expect(freed(by: { _ = shared.enqueue($0) }, taking: { takeUnused(from: shared, 1) }) == [0, 1, 2, 3])
  }

  /// The optimiser frees a queue as early as it may: not before the body has looked at the element.
  @Test func aQueueLivesAsLongAsItsFirstElementIsLookedAt() {
    let numbers = [7, 8, 9]
    #expect(oldest(of: numbers, in: SPSCRing<Int>.self) == 7)
    #expect(oldest(of: numbers, in: SPSCLinkedQueue<Int>.self) == 7)
    #expect(oldest(of: numbers, in: MPSCQueue<Int>.self) == 7)
  }

  /// The numbers of four elements in the order in which they are freed, each of which takes one.
  private func freed(by enqueue: (Returning) -> Void, taking take: @escaping () -> Void) -> [Int] {
    let numbers = Shared([Int]())
    for number in 0..<4 {
      enqueue(
        Returning {
          numbers.value.append(number)
          if numbers.value.count < 8 { take() }
        })
    }
    take()
    return numbers.value
  }
}

/// What does something as it is freed.
private final class Returning {
  private let act: () -> Void

  init(_ act: @escaping () -> Void) { self.act = act }

  deinit { act() }
}

// One for each, so that the queue's code is in it; how often isn't known there.

@inline(never) private func takeUnused(from queue: SPSCRing<Returning>, _ times: Int) {
  for _ in 0..<times { _ = queue.dequeue() }
}

@inline(never) private func takeUnused(from queue: SPSCLinkedQueue<Returning>, _ times: Int) {
  for _ in 0..<times { _ = queue.dequeue() }
}

@inline(never) private func takeUnused(from queue: MPSCQueue<Returning>, _ times: Int) {
  for _ in 0..<times { _ = queue.dequeue() }
}

@inline(never) private func takeUnused(from queue: MPMCQueue<Returning>, _ times: Int) {
  for _ in 0..<times { _ = queue.dequeue() }
}

@inline(never) private func oldest(of numbers: [Int], in _: SPSCRing<Int>.Type) -> Int? {
  let queue = SPSCRing<Int>(minimumCapacity: 3)
  for number in numbers { _ = queue.enqueue(number) }
  return queue.peek { $0 }
}

@inline(never) private func oldest(of numbers: [Int], in _: SPSCLinkedQueue<Int>.Type) -> Int? {
  let queue = SPSCLinkedQueue<Int>()
  for number in numbers { _ = queue.enqueue(number) }
  return queue.peek { $0 }
}

@inline(never) private func oldest(of numbers: [Int], in _: MPSCQueue<Int>.Type) -> Int? {
  let queue = MPSCQueue<Int>()
  for number in numbers { _ = queue.enqueue(number) }
  return queue.peek { $0 }
}
