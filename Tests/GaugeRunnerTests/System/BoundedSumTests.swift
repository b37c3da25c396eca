// Sums of counts of any size.

import Testing

@testable import GaugeRunner

@Suite struct BoundedSumTests {
  @Test func `sums stand still where numbers end`() {
    #expect(boundedSum(1, 2) == 3)
    #expect(boundedSum(.max, .max) == 1 << 61 && boundedSum(1 << 61, 1) == 1 << 61)
  }

  @Test func `what was shared out is the nearest number that there is`() {
    let small: [Double] = [2.5, -2.5, 0.4, .nan]
    #expect(small.map { boundedCount($0) } == [3, -3, 0, 0])
    let large: [Double] = [1e300, .infinity, -1e300, -.infinity]
    let bound = 1 << 61
    #expect(large.map { boundedCount($0) } == [bound, bound, -bound, -bound])
  }
}
