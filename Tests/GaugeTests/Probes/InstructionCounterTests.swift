// Requests to callgrind from a process that doesn't run under it.

import Testing

@testable import Gauge

@Suite struct InstructionCounterTests {
  @Test func requestsOutsideOfValgrindDoNothing() {
    let counter = InstructionCounter(name: "a name of some length, with spaces")
    for _ in 0..<3 {
      counter.start()
      counter.stop()
    }
  }

  @Test func outsideOfValgrindItSaysWhatIsMissing() throws {
    let absence = try #require(InstructionCounter.absence)
    #expect(absence.contains("valgrind"))
  }
}
