// How a benchmark is found by a pattern.

import Testing

@testable import GaugeRunner

@Suite struct BenchmarkPointTests {
  @Test func `a benchmark is found by its name alone and with its parameters`() {
    let point = BenchmarkPoint.sample("subject/send", "sinks=10")
    for pattern in ["subject/send", "subject/send[sinks=10]", "*[sinks=1*", "subj*"] {
      #expect(Glob(pattern).matches(point))
    }
    for pattern in ["subject", "subject/send[sinks=1]", "*sinks=10"] { #expect(!Glob(pattern).matches(point)) }
  }
}
