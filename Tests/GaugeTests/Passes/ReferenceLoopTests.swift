// The fixed loop that gauges the machine.

import Synchronization
import Testing

@testable import Gauge

@Suite struct ReferenceLoopTests {
  @Test func theChainIsTheGeneratorOfMMIX() {
    #expect(ReferenceLoop.chain(1, turns: 0) == 1)
    #expect(ReferenceLoop.chain(0, turns: 1) == 1_442_695_040_888_963_407)
    var state: UInt = 1
    for _ in 0..<1000 { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    #expect(ReferenceLoop.chain(1, turns: 1000) == state)
  }

  @Test func moreMeasuringNeverReadsLongerWhereTheShortestCounts() {
    #expect(ReferenceLoop.around.map(\.measurement.metric) == [.referenceLoop, .referenceMemory])
    for var loop in ReferenceLoop.around {
      #expect(loop.nanosecondsPerTurn == .infinity)
      loop.measure()
      let first = loop.nanosecondsPerTurn
      #expect(first > 0 && first.isFinite)
      loop.measure()
      #expect(loop.nanosecondsPerTurn <= first)
      #expect(loop.measurement.outcome == .value(loop.nanosecondsPerTurn))
    }
  }

  @Test func theLoopOfStoresTellsOfAQuarterOfItsRuns() {
    let readings = Mutex<[UInt64]>([0, 8, 10, 11, 20, 21, 30, 31, 40, 49, 50, 59, 60, 61, 70, 71])
    let clock = { @Sendable in readings.withLock { $0.removeFirst() } }
    var loop = ReferenceLoop(.referenceStores, turns: 40, quantile: 0.75, clock: clock) { _ in }
    loop.measure(repetitions: 8)
    // In rising order 1, 1, 1, 1, 1, 8, 9, 9.
    #expect(loop.nanosecondsPerTurn == 8.25 / 40)
    #expect(loop.measurement == Measurement(.referenceStores, .value(8.25 / 40), iterations: 40, samples: 8))
  }
}
