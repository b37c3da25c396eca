// The account of waits for a processor.

import Testing

@testable import Gauge

@Suite struct ReadyWaitTests {
  @Test func whatWasBeforeTheBeginningDoesNotCount() {
    var now: UInt64 = 700
    var waits = ReadyWait { (now, 0) }
    waits.begin()
    now = 1000
    #expect(waits.look() == 300)
    now = 1100
    #expect(waits.look() == 100)
    #expect(waits.measurement(operations: 4, samples: 2).outcome == .value(100))
    waits.begin()
    #expect(waits.nanoseconds == 0)
  }

  @Test func anAccountThatShrinksAddsNothing() {
    var now: UInt64 = 700
    var waits = ReadyWait { (now, 0) }
    waits.begin()
    now = 300
    #expect(waits.look() == 0)
    now = 350
    #expect(waits.look() == 50)
  }

  @Test func anAccountThatCantBeReadSaysWhy() {
    var waits = ReadyWait { (0, 13) }
    waits.begin()
    #expect(waits.look() == 0)
    #expect(
      waits.measurement(operations: 1, samples: 1)
        == Measurement(.readyWait, .unavailable("the waits for a processor: Permission denied")))
  }

  @Test func theSystemsAccountsGrow() {
    for waits in [ReadyWait.ofThisThread, .ofAllThreads(isOfTheTimed: true)] {
      var waits = waits
      waits.begin()
      guard waits.absence == nil else { continue }  // the system keeps none
      let first = waits.nanoseconds
      _ = waits.look()
      #expect(waits.nanoseconds >= first)
    }
  }
}
