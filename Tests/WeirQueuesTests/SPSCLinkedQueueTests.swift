// Tests of the queue between one producer and one consumer: order, segment borders, ownership.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct SPSCLinkedQueueTests {
  private static let segment = SPSCLinkedQueue<Int>.segmentCapacity

  @Test func isEmptyAtFirst() {
    let queue = SPSCLinkedQueue<Int>()
    #expect(queue.dequeue() == nil)
    #expect(queue.dequeue() == nil)
  }

  @Test(arguments: [1, 2, segment - 1, segment, segment + 1, 2 * segment, 2 * segment + 1, 5 * segment])
  func keepsTheOrderAcrossSegments(count: Int) {
    let queue = SPSCLinkedQueue<Int>()
    for number in 0..<count { queue.enqueue(number) }
    #expect((0..<count).map { _ in queue.dequeue() } == Array(0..<count))
    #expect(queue.dequeue() == nil)
  }

  /// As long as at any time before, but begun elsewhere in its segment, it needs one more.
  @Test func aQueueOfAThousandHasFiveSegmentsAtMost() {
    let queue = SPSCLinkedQueue<Int>()
    var most: [Int] = []
    for _ in 0..<300 {
      for number in 0..<1000 { queue.enqueue(number) }
      most.append(queue.chain.ownedCount)
      let taken = queue.drain { _ in }
      #expect(taken == 1000)
    }
    #expect(most.first == 4)
    #expect(most.max() == 5)
  }

  /// Every fill level at every offset within a segment: the borders meet each other in all combinations.
  @Test(arguments: [1, 2, 3, segment - 1, segment, segment + 1])
  func staysInOrderWhenFilledAndEmptiedByTurns(batch: Int) {
    let queue = SPSCLinkedQueue<Int>()
    var sent = 0
    var received = 0
    for round in 0..<(4 * Self.segment / batch + 8) {
      for _ in 0..<(batch + round % 3) {
        queue.enqueue(sent)
        sent += 1
      }
      for _ in 0..<batch {
        #expect(queue.dequeue() == received)
        received += 1
      }
    }
    while let next = queue.dequeue() {
      #expect(next == received)
      received += 1
    }
    #expect(received == sent)
  }

  /// A burst of many segments, again and again: the chain has them all after the first.
  @Test func keepsItsSegments() {
    let queue = SPSCLinkedQueue<Int>()
    var seen: [Set<Int>] = []
    for _ in 0..<3 {
      for number in 0..<(5 * Self.segment) { queue.enqueue(number) }
      while queue.dequeue() != nil {}
    }
    for _ in 0..<3 {
      var addresses: Set<Int> = []
      for number in 0..<(12 * Self.segment) {
        queue.enqueue(number)
        _ = queue.dequeue()
        addresses.insert(Int(bitPattern: queue.tail))
      }
      seen.append(addresses)
    }
    #expect(seen[0] == seen[1])
    #expect(seen[1] == seen[2])
  }
}
