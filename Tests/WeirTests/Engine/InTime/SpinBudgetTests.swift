// Tests of how long a thread spins before it sleeps.

import Testing

@testable import Weir

@Suite struct SpinBudgetTests {
  /// The budget after waits, from a full one of 50 µs.
  private func limit(after waits: Int...) -> Int {
    var budget = SpinBudget(most: 50_000)
    for wait in waits { budget.noteWait(of: wait) }
    return budget.limit(at: 0)
  }

  @Test func beginsWithTheMost() {
    #expect(limit() == 50_000)
  }

  @Test func longWaitsHalveItDownToNothing() {
    #expect(limit(after: 50_001) == 25_000)
    #expect(limit(after: 60_000, 70_000) == 12_500)
    #expect(limit(after: 1_000_000, 1_000_000, 1_000_000, 1_000_000) == 3_125)
    #expect(limit(after: 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000) == 0)
  }

  @Test func waitsThatSpinningWouldHaveSparedDoubleIt() {
    let long = 1_000_000
    #expect(limit(after: long, long, long, long, long, 10_000) == 2_000)
    #expect(limit(after: long, long, long, long, long, 10_000, 10_000, 10_000) == 8_000)
    #expect(limit(after: long, 40_000) == 50_000)
  }

  @Test func waitsWithinItLeaveItAsItIs() {
    #expect(limit(after: 60_000, 25_000, 1, 0) == 25_000)
  }

  @Test func nothingIsSpunWhereNothingMayBe() {
    var budget = SpinBudget(most: 0)
    budget.noteWait(of: 0)
    budget.noteWait(of: 1)
    #expect(budget.limit(at: 0) == 0)
  }

  @Test func anInterruptionKeepsItFromSpinningForAWhile() {
    var budget = SpinBudget(most: 50_000)
    budget.noteInterruption(at: 1_000_000_000)
    #expect(budget.limit(at: 1_009_999_999) == 0)
    #expect(budget.limit(at: 1_010_000_000) == 50_000)
  }

  @Test func interruptionsThatFollowSoonKeepItFromSpinningForLonger() {
    var budget = SpinBudget(most: 50_000)
    var now = 1_000_000_000
    var pauses: [Int] = []
    for _ in 0..<9 {
      budget.noteInterruption(at: now)
      let begin = now
      while budget.limit(at: now) == 0 { now += 10_000_000 }
      pauses.append((now - begin) / 10_000_000)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 100, 100])
    // A long time without one.
    now += 2_000_000_000
    budget.noteInterruption(at: now)
    #expect(budget.limit(at: now + 10_000_000) == 50_000)
  }
}
