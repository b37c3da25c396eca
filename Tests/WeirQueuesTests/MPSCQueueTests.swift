// Tests of the unbounded queue from many producers to one consumer: segment borders, close, ownership.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct MPSCQueueTests {
  private static let segment = MPSCQueue<Int>.segmentCapacity

  @Test(arguments: [segment - 1, segment, segment + 1, 2 * segment]) func closesAtEverySegmentBorder(count: Int) {
    let queue = MPSCQueue<Int>()
    for number in 0..<count { #expect(queue.enqueue(number)) }
    queue.close()
    #expect(!queue.enqueue(-1))
    #expect(!queue.isDrained)
    #expect((0..<count).map { _ in queue.dequeue() } == Array(0..<count))
    #expect(queue.dequeue() == nil)
    #expect(queue.isDrained)
  }
}
