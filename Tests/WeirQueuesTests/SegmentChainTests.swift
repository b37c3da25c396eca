// Tests of the chain of segments: a few are used again, the others go back, and everything is freed once.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct SegmentChainTests {
  /// Counts the segments whose slots are there.
  private final class Chain {
    let chain = SegmentChain(byteCount: 1000, alignment: 8)
    var live = 0
    func prepare() -> QueueSegment.Pointer {
      chain.prepare { memory in
        memory.storeBytes(of: 7, as: Int.self)
        live += 1
      }
    }
    func end(_: UnsafeMutableRawPointer) { live -= 1 }

    /// - Returns: So many segments, linked.
    func linked(_ count: Int) -> [QueueSegment.Pointer] {
      let segments = (0..<count).map { _ in prepare() }
      for (segment, next) in zip(segments, segments.dropFirst()) { chain.link(next, behind: segment) }
      return segments
    }

    /// Leaves all but the last.
    func leave(_ segments: [QueueSegment.Pointer]) {
      for (segment, next) in zip(segments, segments.dropFirst()) { #expect(chain.leave(segment, end) == next) }
    }
  }

  @Test func growsWhileTheConsumerStays() {
    let chain = Chain()
    let segments = chain.linked(3)
    #expect(Set(segments).count == 3)
    #expect(chain.live == 3)
    chain.chain.free(from: segments[0], chain.end)
    #expect(chain.live == 0)
  }

  @Test func usesSomeSegmentsAgainAndFreesTheOthers() {
    let chain = Chain()
    let segments = chain.linked(10)
    chain.leave(segments)
    #expect(chain.live == 5)
    let again = (0..<4).map { _ in chain.prepare() }
    #expect(Set(again) == Set(segments[0..<4]))
    #expect(chain.live == 5)
    #expect(again.allSatisfy { $0.pointee.next.relaxedLoad() == 0 })
    #expect(again.allSatisfy { $0.pointee.memory.load(as: Int.self) == 7 })
    for segment in again { chain.chain.giveBack(segment, chain.end) }
    chain.chain.free(from: segments[9], chain.end)
    #expect(chain.live == 0)
    #expect(chain.chain.ownedCount == 0)
  }

  @Test(arguments: [17, 300, 2000]) func aLongQueueTakesItsSegmentsFromPagesThatGoBack(_ count: Int) {
    let chain = Chain()
    for _ in 1...3 {
      let segments = chain.linked(count)
      #expect(chain.chain.ownedCount <= 21)
      #expect(segments.count { $0.pointee.run != nil } >= count - 21)
      chain.leave(segments)
      #expect(chain.live <= 5)
      chain.chain.giveBack(segments[count - 1], chain.end)
      #expect(chain.live == 4)
    }
    chain.chain.free(from: chain.prepare(), chain.end)
    #expect(chain.live == 0)
  }

  @Test func trimsWhatItKeeps() {
    let chain = Chain()
    let segments = chain.linked(10)
    chain.leave(segments)
    #expect(chain.live == 5)
    let bytes = chain.chain.trim(chain.end)
    #expect(bytes >= 4 * 1000)
    #expect(chain.live == 1)
    #expect(chain.chain.ownedCount == 1)
    #expect(chain.chain.trim(chain.end) == 0)
    chain.chain.giveBack(chain.prepare(), chain.end)
    #expect(chain.live == 2)
    chain.chain.free(from: segments[9], chain.end)
    #expect(chain.live == 0)
  }

  /// The run that further segments would be cut from is surplus, too; those that were cut keep its pages.
  @Test func trimsTheRun() {
    let chain = Chain()
    var segments = chain.linked(40)
    _ = chain.chain.trim(chain.end)
    let further = chain.linked(40)
    #expect(further[0].pointee.run != segments[39].pointee.run)
    chain.chain.link(further[0], behind: segments[39])
    segments += further
    chain.leave(segments)
    _ = chain.chain.trim(chain.end)
    #expect(chain.live == 1)
    chain.chain.free(from: segments[79], chain.end)
    #expect(chain.live == 0)
  }

  /// It was kept until the next one was begun.
  @Test func aRunThatIsUsedUpBelongsToItsSegments() {
    let chain = Chain()
    let segments = chain.linked(300)
    let runs = segments.compactMap { $0.pointee.run }
    let (first, second) = (runs[0], runs[runs.count - 1])
    let length = runs.count { $0 == first }
    #expect(first != second)
    let further = chain.linked(length - runs.count { $0 == second })
    #expect(further.allSatisfy { $0.pointee.run == second })
    let users = second.pointee.users.relaxedLoad()
    #expect(users == length)
    chain.chain.link(further[0], behind: segments[299])
    chain.chain.free(from: segments[0], chain.end)
    #expect(chain.live == 0)
  }

  @Test func manyThreadsPrepareAndGiveBack() {
    let chain = SegmentChain(byteCount: 100_000, alignment: 64)
    let live = Counter()
    let ended = Counter()
    onThreads(4) { _ in
      for _ in 0..<200 {
        let mine = (0..<8).map { _ in chain.prepare { _ in live.add() } }
        #expect(Set(mine).count == 8)
        #expect(mine.allSatisfy { UInt(bitPattern: $0.pointee.memory) % 64 == 0 })
        for segment in mine { segment.pointee.memory.storeBytes(of: UInt(bitPattern: segment), as: UInt.self) }
        #expect(mine.allSatisfy { $0.pointee.memory.load(as: UInt.self) == UInt(bitPattern: $0) })
        for segment in mine { chain.giveBack(segment) { _ in ended.add() } }
        _ = chain.trim { _ in ended.add() }
      }
    }
    chain.free(from: chain.prepare { _ in live.add() }) { _ in ended.add() }
    #expect(live.value == ended.value)
    #expect(chain.ownedCount == 0)
  }
}
