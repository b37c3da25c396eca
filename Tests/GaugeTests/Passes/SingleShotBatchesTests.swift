// The first operation alone.

import Testing

@testable import Gauge

@Suite struct SingleShotBatchesTests {
  @Test func theOperationRunsOnce() {
    let batches = SingleShotBatches(clock: .monotonic, overhead: 0)
    #expect(batches.measurement.outcome == .unavailable("the operation did not run"))
    var executed = 0
    batches.run { executed += 1 }
    #expect(executed == 1)
    guard case .value(let nanoseconds) = batches.measurement.outcome else {
      Issue.record("no time")
      return
    }
    #expect(nanoseconds >= 0 && batches.measurement.metric == .singleShot)
  }
}
