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

  @Test func pausesForTheWinnerOnceAndThenAsASpinnerOverAndOver() {
    var backoff = Backoff()
    let steps = (0..<6).map { _ in
      backoff.pauseAfterLostRace()
      return backoff.step
    }
    #expect(steps == [1, 2, 3, 4, 5, 1])
  }

  @Test func snoozesUntilSleepingIsBetter() {
    var backoff = Backoff()
    var snoozes = 1
    while backoff.snooze() { snoozes += 1 }
    // Letting others run ends earlier where that takes long.
    #expect((Backoff.limit + 2...Backoff.limit + 1 + Backoff.patience).contains(snoozes))
    let snoozesAgain = backoff.snooze()
    #expect(!snoozesAgain)
  }
}
