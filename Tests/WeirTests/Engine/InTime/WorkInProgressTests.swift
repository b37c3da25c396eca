// Tests of who works when several jobs come.

import TestKit
import Testing

@testable import Weir

@Suite struct WorkInProgressTests {
  private let work = Work()

  @Test func theFirstHasTheRoleUntilNoTurnIsLeft() {
    #expect(work.bring(1) == .idle)
    work.begin()
    #expect(work.isHere)
    #expect(work.bring(2) == .nested)
    #expect(work.settle(1) == 2)
    #expect(!work.isHere)
    #expect(work.settle(2) == 0)
    #expect(work.bring(1) == .idle)
  }

  @Test func othersLeaveTheirTurns() {
    #expect(work.bring(1) == .idle)
    work.begin()
    let busy = Counter()
    onThreads(1) { _ in if work.bring(3) == .busy, !work.isHere { busy.add() } }
    #expect(busy.value == 1)
    #expect(work.settle(1) == 3)
  }

  @Test func nestedWorkTakesItsTurnsBack() {
    #expect(work.raise(1))
    work.begin()
    #expect(!work.raise(2))
    work.settleNested(2)
    #expect(work.isHere)
    #expect(work.settle(1) == 0)
  }
}

/// Work in progress behind a reference, as expectations take copies.
private final class Work {
  private let turns = WorkInProgress()

  var isHere: Bool { turns.isWorkingHere }
  func bring(_ count: Int) -> WorkInProgress.Finding { turns.bring(count) }
  func raise(_ count: Int) -> Bool { turns.raise(count) }
  func begin() { turns.begin() }
  func settle(_ count: Int) -> Int { turns.settle(count) }
  func settleNested(_ count: Int) { turns.settleNested(count) }
}
