// Tests of the bounded queue between one producer and one consumer: full, empty, wrap-around, batches, close,
// ownership.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct SPSCRingTests {
  private let lifetimes = Lifetimes()

  @Test func roundsItsCapacityUp() {
    #expect([1, 2, 3, 4, 5, 1000].map { SPSCRing<Int>(minimumCapacity: $0).capacity } == [1, 2, 4, 4, 8, 1024])
  }

  @Test func refusesACapacityOfNothing() async {
    await #expect(processExitsWith: .failure) { _ = SPSCRing<Int>(minimumCapacity: 0) }
  }

  @Test func refusesACapacityBeyondTheAddresses() async {
    await #expect(processExitsWith: .failure) { _ = SPSCRing<Int8>(minimumCapacity: 1 << (Int.bitWidth - 8) + 1) }
  }

  /// The bytes of so many slots could not be counted, or not be allocated, which stopped the program without a word.
  @Test func refusesACapacityWhoseBytesAreTooMany() async {
    let ring = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SPSCRing<Int8>(minimumCapacity: 1 << (Int.bitWidth - 4))
    }
    let queue = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MPMCQueue<Int>(minimumCapacity: 1 << (Int.bitWidth - 4))
    }
    // In release builds it says nothing.
    #if DEBUG
      for result in [ring, queue] {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("a queue's capacity can't be \(1 << (Int.bitWidth - 4))"))
      }
    #endif
  }

  @Test func batchesKeepTheOrderAcrossTheEnd() {
    let queue = SPSCRing<Int>(minimumCapacity: 4)
    #expect(queue.enqueue(contentsOf: [1, 2, 3]) == 3)
    var taken = [0]
    #expect(queue.dequeue(atMost: 2, into: &taken) == 2)
    #expect(taken == [0, 1, 2])
    #expect(queue.enqueue(contentsOf: [4, 5, 6, 7, 8][1...]) == 3)
    #expect(queue.enqueue(contentsOf: [9]) == 0)
    #expect(queue.dequeue(atMost: 9, into: &taken) == 4)
    #expect(taken == [0, 1, 2, 3, 5, 6, 7])
    #expect(queue.dequeue(atMost: 9, into: &taken) == 0)
  }

  @Test func emptyBatchesChangeNothing() {
    let queue = SPSCRing<Int>(minimumCapacity: 2)
    var taken: [Int] = []
    #expect(queue.enqueue(contentsOf: []) == 0)
    #expect(queue.enqueue(1))
    #expect(queue.dequeue(atMost: 0, into: &taken) == 0)
    #expect(queue.dequeue(atMost: -1, into: &taken) == 0)
    #expect(queue.dequeue() == 1)
  }

  @Test func batchesAreRefusedOnceClosed() {
    let queue = SPSCRing<Int>(minimumCapacity: 4)
    queue.close()
    #expect(queue.enqueue(contentsOf: [1, 2]) == 0)
    #expect(queue.isDrained)
  }

  @Test func batchesGiveElementsUpOnce() {
    do {
      let queue = SPSCRing<LifetimeTracked>(minimumCapacity: 4)
      var taken: [LifetimeTracked] = []
      #expect(queue.enqueue(contentsOf: (0..<6).map { lifetimes.track($0) }[...]) == 4)
      #expect(lifetimes.live == 4)
      queue.dequeue(atMost: 3, into: &taken)
      #expect(taken.map(\.number) == [0, 1, 2])
      taken = []
      #expect(lifetimes.live == 1)
    }
    #expect(lifetimes.live == 0)
  }
}
