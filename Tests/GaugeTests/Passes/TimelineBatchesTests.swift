// Which operations are recorded one by one, and what runs before them.

import Testing

@testable import Gauge

@Suite struct TimelineBatchesTests {
  /// Runs batches.
  ///
  /// - Returns: How many operations ran, and how many were recorded.
  private func run(
    warmUp: Int, operation: Int = 1, step: UInt64 = 1, _ recorder: CallStacks
  ) -> (ran: Int, recorded: Int) {
    var time: UInt64 = 0
    let runUp = TimelineRunUp(warmUp: warmUp, .init([.allocations], operation: operation)) { time }
    let batches = TimelineBatches(runUp, operations: 2, recorder)
    var operations = 0
    batches.run {
      operations += 1
      time += step
    }
    return (operations, batches.operations)
  }

  @Test func whatComesBeforeRunsFirst() {
    // Nothing is preloaded into tests, so that nothing follows it.
    let recorder = CallStacks(of: .timeline([.allocations]))
    #expect(run(warmUp: 100, recorder) == (100, 0))
    #expect(run(warmUp: 100, operation: 51, recorder) == (150, 0))
    #expect(run(warmUp: 1, recorder) == (1, 0))
    #expect(recorder.conclude(operations: 0, file: "/nowhere/f").outcome == .unavailable(HeapHooks.absence))
  }

  @Test func nothingIsRecordedWhereTheOperationIsTooFarAway() {
    let recorder = CallStacks(of: .timeline([.allocations]))
    let (ran, recorded) = run(warmUp: 1, operation: 1_000_000, step: 50_000_000_000, recorder)
    #expect(ran < 10 && recorded == 0)
  }
}
