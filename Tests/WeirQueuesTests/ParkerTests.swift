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

  @Test func servesAgainWhenItIsReset() {
    let (parker, rounds) = (Parker(), Counter())
    onThreads([
      {
        for _ in 0..<100 {
          parker.park()
          parker.reset()
          rounds.add()
        }
      },
      {
        for round in 0..<100 {
          rounds.wait(for: round)
          parker.unpark()
        }
      },
    ])
    #expect(rounds.value == 100)
  }

  /// The longest time of all ended before it had begun.
  @Test(arguments: [nil, Int.max]) func sleepsUntilItIsWoken(time: Int?) {
    for _ in 0..<100 {
      let parker = Parker()
      let log = Shared([String]())
      onThreads([
        {
          if let time { parker.park(atMost: time) } else { parker.park() }
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
