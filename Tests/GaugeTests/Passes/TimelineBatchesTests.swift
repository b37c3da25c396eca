// Which operations are recorded one by one, and what runs before them.

import Testing

@testable import Gauge

@Suite struct TimelineBatchesTests {
  /// Runs batches, with a clock that goes on by so much at each look.
  ///
  /// - Returns: How many operations ran.
  private func run(before: Int, step: UInt64, _ recorder: CallStacks) -> (ran: Int, recorded: Int) {
    var time: UInt64 = 0
    let batches = TimelineBatches(before: before, operations: 2, recorder) {
      time += step
      return time
    }
    var operations = 0
    batches.run { operations += 1 }
    return (operations, batches.operations)
  }

  @Test func theWarmUpRunsFirst() {
    // Nothing is preloaded into tests, so that nothing follows it.
    let recorder = CallStacks(of: .timeline([.allocations]))
    #expect(run(before: 100, step: 1, recorder) == (100, 0))
    #expect(run(before: 1, step: 1, recorder) == (1, 0))
    #expect(run(before: 0, step: 1, recorder) == (0, 0))
    #expect(recorder.conclude(operations: 0, file: "/nowhere/f").outcome == .unavailable(HeapHooks.absence))
  }

  @Test func aWarmUpThatWouldLastIsOneOperation() {
    let recorder = CallStacks(of: .timeline([.allocations]))
    #expect(run(before: 101, step: 200_000_000, recorder) == (1, 0))
    #expect(run(before: 101, step: 90_000_000, recorder) == (101, 0))
  }
}
