// JUnit XML: counts, order and escapes.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct JUnitTests {
  @Test func `worse fails, faults are errors, what has no verdict is skipped`() {
    var new = reportedSuite(seed: 2, benchmarks: 2, allocations: 1)
    new.faults = [reportedFault]
    let comparison = Comparison(base: reportedSuite(seed: 1, benchmarks: 2), new: new)
    let text = comparison.junit(new.environment)
    #expect(
      text.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite package=\"gauge\" id=\"0\""))
    #expect(text.contains("timestamp=\"1970-01-01T00:00:00\" hostname=\"a1\" tests=\"7\" failures=\"1\" errors=\"1\""))
    #expect(text.contains("<error message=\"killed by signal 4 (Illegal instruction)\" type=\"fault\">"))
    #expect(text.contains("<failure message=\"0 -&gt; 1 +1\" type=\"worse\"></failure>"))
    #expect(text.components(separatedBy: "<testcase").count == 8)
    #expect(
      text.components(separatedBy: "<skipped").count - 1 == comparison.shown.count + comparison.count(.notEnoughData))
  }

  @Test func `a date that is none is not told`() {
    let text = Comparison(base: Results(), new: Results()).junit([("date", "2025-01-01\"T00:00:0")])
    #expect(text.contains(" timestamp=\"1970-01-01T00:00:00\" "))
  }
}
