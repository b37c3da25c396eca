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

  @Test(arguments: [1, 2, 4]) func overwritesTheOldestAgainAndAgain(capacity: Int) {
    let queue = MPMCQueue<Int>(minimumCapacity: capacity)
    for number in 0..<capacity { #expect(queue.overwrite(with: number) == .appended) }
    for number in 0..<20 {
      #expect(queue.isFull)
      #expect(queue.overwrite(with: number + capacity) == .replaced(number))
    }
    #expect((0..<capacity).map { _ in queue.dequeue() } == Array(20..<20 + capacity))
    #expect(queue.overwrite(with: 1) == .appended)
    queue.close()
    #expect(queue.overwrite(with: 2) == .closed(2))
    #expect(queue.dequeue() == 1)
    #expect(queue.isDrained)
  }

  @Test func statesItsMemory() {
    #expect(MPMCQueue<Int>(minimumCapacity: 5).allocatedBytes == 8 * 16)
    #expect(SPSCRing<Int32>(minimumCapacity: 5).allocatedBytes == 8 * 4)
  }
}
