// Series as blocks.

import Testing

@testable import GaugeRunner

@Suite struct SparklineTests {
  @Test func `the lowest and the highest value are the ends`() {
    #expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8]) == "▁▂▃▄▅▆▇█")
    #expect(sparkline([3, 1]) == "█▁")
    #expect(sparkline([5, 5, 5]) == "▁▁▁")
    #expect(sparkline([]) == "")
    #expect(sparkline([9, 1, 2], width: 2) == "▁█")
  }
}
