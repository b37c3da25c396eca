// Tests of the distance between fields that different threads write.

import Testing

@testable import WeirQueues

@Suite struct CacheLinePaddingTests {
  private struct Padded {
    let before = 0
    let padding = CacheLinePadding()
    let behind = 0
  }

  @Test func keepsItsNeighboursApart() throws {
    let before = try #require(MemoryLayout<Padded>.offset(of: \.before))
    let behind = try #require(MemoryLayout<Padded>.offset(of: \.behind))
    #expect(behind - before >= 128)
  }
}
