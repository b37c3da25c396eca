// The clocks of a launch.

import Testing

@testable import Gauge

@Suite struct ClocksTests {
  @Test func clocksNeverGoBack() {
    for clock in [TickClock.monotonic, TickClock.calibrate()] {
      var last = clock.ticks()
      for _ in 0..<10_000 {
        let now = clock.ticks()
        #expect(now >= last)
        last = now
      }
    }
  }

  @Test func theMonotonicClockCountsNanoseconds() {
    #expect(TickClock.monotonic.nanosecondsPerTick == 1)
    let before = TickClock.monotonic.ticks()
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now - start < .milliseconds(2) {}
    #expect(TickClock.monotonic.ticks() - before >= 1_990_000)
  }

  @Test func theCycleCounterRunsAtACpusPace() {
    let clock = TickClock.calibrate()
    // From 1 MHz (the slowest generic timers of Arm) to 10 GHz.
    #expect((0.1...1000).contains(clock.nanosecondsPerTick))
  }
}
