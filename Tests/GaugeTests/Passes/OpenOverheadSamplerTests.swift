// The calibration of the open loop, with played clocks that are interrupted.

import Testing

@testable import Gauge

@Suite struct OpenOverheadSamplerTests {
  /// Plays a clock on which the n-th operation ends `cost(n)` ticks behind its moment.
  private func ticks(nanosecondsPerTick: Double = 1, _ cost: (Int) -> UInt64) -> Double {
    var sampler = OpenOverheadSampler(nanosecondsPerTick: nanosecondsPerTick)
    var now: UInt64 = .max - 1000
    var number = 0
    while let start = sampler.nextStart(now: now) {
      #expect(Double(start &- now) * nanosecondsPerTick >= OpenOverheadSampler.pause)
      now = start &+ cost(number)
      sampler.record(from: start, to: now)
      number += 1
    }
    #expect(number == OpenOverheadSampler.operations)
    return sampler.ticksOfEmptyOperation
  }

  @Test(arguments: [0.25, 1, 10]) func theMedianIsTaken(nanosecondsPerTick: Double) {
    #expect(ticks(nanosecondsPerTick: nanosecondsPerTick) { $0 % 2 == 0 ? 30 : 32 } == 30)
  }

  /// The defect: on a schedule, one interruption of 12 ms delayed every operation that came behind it, and the median
  /// of the delays, milliseconds, was taken off all latencies, which then were 0.
  @Test(arguments: [0, 1, 300, 1500, 3000]) func anInterruptionShowsInOneOperation(at place: Int) {
    #expect(ticks { $0 == place ? 12_000_000 : 30 } == 30)
  }

  @Test func aMachineThatInterruptsMostOfThemTakesNoMoreThanTwiceTheQuickest() {
    #expect(ticks { $0 % 10 == 0 ? 30 : 5000 } == 60)
  }

  @Test func withoutOperationsNothingIsTakenOff() {
    #expect(OpenOverheadSampler(nanosecondsPerTick: 1).ticksOfEmptyOperation == 0)
  }
}
