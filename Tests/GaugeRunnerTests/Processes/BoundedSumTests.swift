// Sums of counts of any size.

import Testing

@testable import GaugeRunner

@Suite struct BoundedSumTests {
  @Test func `sums stand still where numbers end`() {
    #expect(boundedSum(1, 2) == 3)
    #expect(boundedSum(.max, .max) == 1 << 61 && boundedSum(1 << 61, 1) == 1 << 61)
  }
}
