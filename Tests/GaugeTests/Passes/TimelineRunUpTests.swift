// What runs before the operations of a timeline, by a clock that the test moves.

import Testing

@testable import Gauge

@Suite struct TimelineRunUpTests {
  /// Runs up to an operation with operations that all take so many nanoseconds.
  ///
  /// - Returns: How many operations ran, and why the one asked for was not reached.
  private func run(warmUp: Int, to operation: Int, step: UInt64, limit: Int = 30) -> (ran: Int, failure: String?) {
    var time: UInt64 = 0
    var runUp = TimelineRunUp(warmUp: warmUp, .init([.allocations], operation: operation, timeLimit: limit)) { time }
    var ran = 0
    while case let count = runUp.next(), count > 0 {
      ran += count
      time += UInt64(count) * step
    }
    #expect(runUp.next() == 0)
    return (ran, runUp.failure)
  }

  @Test func theWarmUpRunsFirstAndAllOperationsBehindIt() {
    for operation in [1, 2, 3, 100, 5000] {
      #expect(run(warmUp: 100, to: operation, step: 1) == (100 + operation - 1, nil))
      #expect(run(warmUp: 1, to: operation, step: 0) == (operation, nil))
    }
  }

  @Test func aWarmUpThatWouldLastIsOneOperation() {
    #expect(run(warmUp: 101, to: 1, step: 200_000_000) == (1, nil))
    #expect(run(warmUp: 101, to: 1, step: 90_000_000) == (101, nil))
    // What was asked for is reached all the same.
    #expect(run(warmUp: 101, to: 61, step: 200_000_000) == (61, nil))
  }

  @Test func anOperationThatIsTooFarAwayIsNotReplacedByAnother() {
    let (ran, failure) = run(warmUp: 1, to: 1_000_000_000, step: 1000)
    // About a second tells.
    #expect((900_000...1_500_000).contains(ran))
    #expect(
      failure
        == "operation 1000000000 behind the warm-up was not reached within 30 s: it takes about 1000 s to get there "
        + "(--time-limit SECONDS allows more)")
    #expect(run(warmUp: 1, to: 1_000_000_000, step: 1000, limit: 1001).failure == nil)
    #expect(run(warmUp: 1, to: 3, step: 40_000_000_000).failure != nil)
    #expect(run(warmUp: 1, to: 3, step: .max / 8, limit: 1).failure != nil)
  }
}
