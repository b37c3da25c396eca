// Tests of a value that is being worked on.

import TestKit
import Testing

@testable import WeirState

@Suite struct CandidateTests {
  @Test func itTakesWritesUntilItIsClosed() {
    var late: [Int] = []
    let candidate = Candidate(1, turn: nil, late: .init(read: { 7 }, write: { late.append($0) }))
    #expect(candidate.access.read() == 1)
    candidate.access.write(2)
    #expect(candidate.close() == 2)
    candidate.access.write(3)
    #expect(candidate.value == 2 && late == [3])
    #expect(candidate.access.read() == 7, "who changes it now changes what is there now")
  }

  @Test func closingSaysWhetherAnythingWasWritten() {
    #expect(Candidate(1, turn: nil, late: .init(read: { nil }, write: { _ in })).close() == nil)
  }

  @Test func whatIsGoneIsAsItWasAtTheEnd() {
    let candidate = Candidate(1, turn: nil, late: .init(read: { nil }, write: { _ in }))
    candidate.close()
    #expect(candidate.access.read() == 1)
  }

  /// It was made at once, and lost with what the closure had then.
  @Test func aWriteOfTheWholeThroughADiffWaitsForAnotherThreadsChange() {
    let turn = Turn()
    let candidate = Shared(Candidate([0, 0], turn: TurnHandle(turn), late: .init(read: { nil }, write: { _ in })))
    let written = Counter()
    let other = Shared<OtherThread?>(nil)
    candidate.value.access.change { value in
      other.value = OtherThread {
        DiffedValue(old: nil, live: candidate.value).new = [0, 7]
        written.add()
      }
      while written.value == 0, turn.waiters == 0 { yieldThread() }
      value[0] = 1
    }
    let isBack = other.value?.comesBack()
    #expect(isBack == true && candidate.value.value == [0, 7])
  }
}
