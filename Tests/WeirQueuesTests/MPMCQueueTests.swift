// Tests of the bounded queue between any threads: capacities, many laps, ownership.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct MPMCQueueTests {
  @Test func roundsItsCapacityUp() {
    #expect([1, 2, 3, 4, 5, 1000].map { MPMCQueue<Int>(minimumCapacity: $0).capacity } == [1, 2, 4, 4, 8, 1024])
  }

  @Test func refusesACapacityOfNothing() async {
    await #expect(processExitsWith: .failure) { _ = MPMCQueue<Int>(minimumCapacity: 0) }
  }

  @Test func isDrainedOnlyOnceEveryElementIsTaken() {
    let queue = MPMCQueue<String>(minimumCapacity: 1)
    #expect(queue.enqueue("last"))
    queue.close()
    #expect(!queue.isDrained)
    #expect(queue.dequeue() == "last")
    #expect(queue.isDrained)
  }
}
