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

  @Test func handsOverOptionalElements() {
    let queue = SPSCLinkedQueue<Int?>()
    queue.enqueue(nil)
    queue.enqueue(1)
    #expect(queue.dequeue() == .some(nil))
    #expect(queue.dequeue() == .some(1))
    #expect(queue.dequeue() == .none)
  }

  @Test func givesElementsUpAsTheyLeave() {
    let lifetimes = Lifetimes()
    let queue = SPSCLinkedQueue<LifetimeTracked>()
    for number in 0..<(Self.segment + 10) { queue.enqueue(lifetimes.track(number)) }
    #expect(lifetimes.live == Self.segment + 10)
    for left in (0..<(Self.segment + 10)).reversed() {
      _ = queue.dequeue()
      #expect(lifetimes.live == left)
    }
  }

  @Test(arguments: [0, 1, segment - 1, segment, segment + 1, 3 * segment + 7])
  func freesWhatItStillHolds(left: Int) {
    let lifetimes = Lifetimes()
    do {
      let queue = SPSCLinkedQueue<LifetimeTracked>()
      for number in 0..<(left + 20) { queue.enqueue(lifetimes.track(number)) }
      for _ in 0..<20 { _ = queue.dequeue() }
      #expect(lifetimes.live == left)
    }
    #expect(lifetimes.live == 0)
    #expect(lifetimes.made == left + 20)
  }
}
