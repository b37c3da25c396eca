// Tests of what happens to an element that finds a queue of limited length full.

import TestKit
import Testing
import WeirQueues

@testable import Weir

@Suite struct RingBufferOfferTests {
  private typealias Strategy = Publishers.BufferingStrategy<TestFailure>

  /// What became of the elements 1 to 5, one after another, and what the queue has in the end.
  private func offered(limit: Int, _ whenFull: Strategy) -> (offers: [String], kept: [Int]) {
    var queue = RingBuffer<Int>()
    let offers = (1...5).map { element in
      switch queue.offer(element, limit: limit, whenFull: whenFull) {
      case .kept: "kept"
      case .dropped: "dropped"
      case .replaced(let oldest): "instead of \(oldest)"
      case .failed: "failed"
      }
    }
    return (offers, queue.elements)
  }

  @Test func whatFindsRoomIsKept() {
    let strategies: [Strategy] = [.dropNewest, .dropOldest, .customError { TestFailure.first }]
    for whenFull in strategies {
      let (offers, kept) = offered(limit: 5, whenFull)
      #expect(offers == Array(repeating: "kept", count: 5))
      #expect(kept == [1, 2, 3, 4, 5])
    }
  }

  @Test func theNewestIsDropped() {
    let (offers, kept) = offered(limit: 3, .dropNewest)
    #expect(offers == ["kept", "kept", "kept", "dropped", "dropped"])
    #expect(kept == [1, 2, 3])
  }

  @Test func theOldestMakesRoom() {
    let (offers, kept) = offered(limit: 3, .dropOldest)
    #expect(offers == ["kept", "kept", "kept", "instead of 1", "instead of 2"])
    #expect(kept == [3, 4, 5])
  }

  /// The closure is the caller's to run: it is user code.
  @Test func theStreamIsToFail() {
    let calls = Counter()
    let (offers, kept) = offered(
      limit: 4,
      .customError {
        calls.add()
        return TestFailure.first
      })
    #expect(offers == ["kept", "kept", "kept", "kept", "failed"])
    #expect(kept == [1, 2, 3, 4])
    #expect(calls.value == 0)
  }

  @Test func nothingFitsIntoNothing() {
    #expect(offered(limit: 0, .dropOldest).offers == Array(repeating: "dropped", count: 5))
    #expect(offered(limit: 0, .dropNewest).kept == [])
  }
}
