// Tests of a thread's place to sleep.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ParkerTests {
  @Test func aSignalBeforehandCounts() {
    let parker = Parker()
    parker.unpark()
    parker.park()
  }

  @Test func sleepsUntilItIsWoken() {
    for _ in 0..<100 {
      let parker = Parker()
      let log = Shared([String]())
      onThreads([
        {
          parker.park()
          log.value.append("woken")
        },
        {
          log.value.append("signal")
          parker.unpark()
        },
      ])
      #expect(log.value == ["signal", "woken"])
    }
  }
}
