// Tests of actions that can be let go of.

import TestKit
import Testing

@testable import WeirFoundation

@Suite struct ScheduledWorkTests {
  private let lifetimes = Lifetimes()
  private let count = Counter()

  private func makeWork() -> ScheduledWork {
    let tracked = lifetimes.track()
    return ScheduledWork { [count] in
      tracked.touch()
      count.add()
    }
  }

  @Test func runsUntilItIsDropped() {
    let work = makeWork()
    work.run()
    work.run()
    #expect(work.isAlive)
    work.drop()
    work.run()
    #expect(count.value == 2)
    #expect(!work.isAlive)
    #expect(lifetimes.live == 0)
  }

  @Test func runsOnce() {
    let work = makeWork()
    work.runOnce()
    #expect(lifetimes.live == 0)
    work.runOnce()
    #expect(count.value == 1)
  }

  @Test func mayBeDroppedByItself() {
    var work: ScheduledWork?
    work = ScheduledWork { [count] in
      count.add()
      work?.drop()
    }
    work?.run()
    work?.run()
    #expect(count.value == 1)
    work = nil
  }
}
