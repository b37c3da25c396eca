// Sums of counts of any size.

import Testing

@testable import GaugeRunner

@Suite struct BoundedSumTests {
  @Test func `sums stand still where numbers end`() {
    #expect(boundedSum(1, 2) == 3)
    #expect(boundedSum(.max, .max) == 1 << 61 && boundedSum(1 << 61, 1) == 1 << 61)
  }

  @Test func `what was shared out is the nearest number that there is`() {
    #expect([2.5, -2.5, 0.4, .nan].map(boundedCount) == [3, -3, 0, 0])
    #expect([1e300, .infinity, -1e300, -.infinity].map(boundedCount) == [1 << 61, 1 << 61, -1 << 61, -1 << 61])
  }
}
