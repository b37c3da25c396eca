// Tests of the bounded spinner.

import Testing

@testable import WeirQueues

@Suite struct BackoffTests {
  @Test func givesUpOnceThePausesReachTheirLimit() {
    var backoff = Backoff()
    var spins = 0
    while backoff.spin() { spins += 1 }
    #expect(spins == Backoff.limit + 1)
    let spinsAgain = backoff.spin()
    #expect(!spinsAgain)
  }

  @Test func snoozesUntilSleepingIsBetter() {
    var backoff = Backoff()
    var snoozes = 1
    while backoff.snooze() { snoozes += 1 }
    #expect(snoozes == Backoff.limit + 1 + Backoff.patience)
    let snoozesAgain = backoff.snooze()
    #expect(!snoozesAgain)
  }
}
