// Calibration of the harness's own cost.

import Testing

@testable import Gauge

@Suite struct OverheadSamplerTests {
  @Test func aFixedNumberOfSingleOperationsIsTaken() {
    var sampler = OverheadSampler()
    var now: UInt64 = 0
    while let count = sampler.nextCount() {
      #expect(count == 1)
      sampler.record(from: now, to: now + 25)
      now += 100
    }
    #expect(sampler.ticks == Array(repeating: 25, count: OverheadSampler.batches))
  }

  @Test func theOverheadIsPositiveAndFinite() {
    let single = OverheadSampler.ticksOfEmptyOperation(.monotonic)
    #expect(single > 0 && single.isFinite)
    let overhead = TimingOverhead.calibrate()
    #expect(overhead.perOperation > 0 && overhead.perOperation.isFinite)
    #expect(overhead.perSample.isFinite)
  }
}
