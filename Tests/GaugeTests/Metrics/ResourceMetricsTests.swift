// The quantities of the counting passes: what repeats exactly, and that no two have one name.

import Testing

@testable import Gauge

@Suite struct ResourceMetricsTests {
  @Test func onlyCountsOfTheProgramItselfAreExact() {
    let all = Metric.resources + Metric.references + Metric.allocator + Metric.hardware + [.systemCalls, .singleShot]
    #expect(all.filter { $0.kind == .exact } == Metric.references + [.systemCalls])
    #expect(all.allSatisfy { $0.polarity == .lower })
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(all.allSatisfy { Metric.builtIn(named: $0.name) == $0 })
  }
}
