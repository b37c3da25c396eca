// Tests of the chain of segments: what the consumer has left is used again, and everything is freed once.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct SegmentChainTests {
  private final class Maker {
    var made = 0
    func make() -> QueueSegment.Pointer {
      made += 1
      return QueueSegment.allocate(memory: .allocate(byteCount: 8, alignment: 8))
    }
  }

  private func freed(_ chain: SegmentChain) -> Int {
    var count = 0
    chain.free { memory in
      memory.deallocate()
      count += 1
    }
    return count
  }

  @Test func growsWhileTheConsumerStays() {
    let maker = Maker()
    let first = maker.make()
    let chain = SegmentChain(first)
    let second = chain.link(behind: first, make: maker.make)
    _ = chain.link(behind: second, make: maker.make)
    #expect(maker.made == 3)
    #expect(freed(chain) == 3)
  }

  @Test func usesLeftSegmentsAgainOldestFirst() {
    let maker = Maker()
    let first = maker.make()
    let chain = SegmentChain(first)
    let second = chain.link(behind: first, make: maker.make)
    let third = chain.link(behind: second, make: maker.make)
    #expect(chain.leave(first) == second)
    #expect(chain.leave(second) == third)
    let fourth = chain.link(behind: third, make: maker.make)
    #expect(fourth == first)
    let fifth = chain.link(behind: fourth, make: maker.make)
    #expect(fifth == second)
    #expect(maker.made == 3)
    _ = chain.link(behind: fifth, make: maker.make)
    #expect(maker.made == 4)
    #expect(chain.leave(third) == first)
    #expect(freed(chain) == 4)
  }
}
