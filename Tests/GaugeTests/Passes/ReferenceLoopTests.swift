// The fixed loop that gauges the machine.

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

  @Test(arguments: Metric.referenceLoops.indices) func moreMeasuringNeverReadsLonger(index: Int) {
    var loop = ReferenceLoop.all[index]
    #expect(loop.nanosecondsPerTurn == .infinity)
    loop.measure()
    let first = loop.nanosecondsPerTurn
    #expect(first > 0 && first.isFinite)
    loop.measure()
    #expect(loop.nanosecondsPerTurn <= first)
    #expect(loop.measurement.metric == Metric.referenceLoops[index])
    #expect(loop.measurement.outcome == .value(loop.nanosecondsPerTurn))
  }
}
