// Tests of the right to change a state.

import TestKit
import Testing

@testable import WeirState

@Suite struct TurnTests {
  @Test func oneThreadAtATimeHasTheTurnAndMayTakeItAgain() {
    let turn = Turn()
    let inside = Shared(0)
    onThreads(8) { _ in
      for _ in 0..<500 {
        turn.enter()
        turn.enter()
        inside.value += 1
        turn.leave()
        turn.leave()
      }
    }
    #expect(inside.value == 4000)
  }

  @Test func threadsThatTakeTwoTurnsInOppositeOrderDoNotDeadlock() {
    let turns = [Turn(), Turn(), Turn()]
    let sums = Shared([0, 0, 0])
    onThreads(3) { number in
      for _ in 0..<500 {
        let (a, b) = (number, (number + 1) % 3)
        turns[a].enter()
        turns[b].enter()
        sums.value[b] += 1
        turns[b].leave()
        turns[a].leave()
      }
    }
    #expect(sums.value == [500, 500, 500])
  }

  /// Both threads have their first turn before either wants its second: one of them must be lent it.
  @Test func aTurnIsLentToAThreadThatItsOwnerWaitsFor() {
    let turns = [Turn(), Turn()]
    let inside = Counter()
    onThreads(2) { number in
      turns[number].enter()
      inside.add()
      inside.wait(for: 2)
      turns[1 - number].enter()
      turns[1 - number].leave()
      turns[number].leave()
    }
    #expect(inside.value == 2)
  }

  @Test func whatIsToFollowWaitsForTheThreadsLastTurn() {
    let (first, second) = (Turn(), Turn(isExclusive: false))
    var log: [String] = []
    first.enter()
    second.enter()
    second.leave { log.append("second") }
    #expect(log == [])
    first.leave { log.append("first") }
    #expect(log == ["second", "first"])
  }
}
