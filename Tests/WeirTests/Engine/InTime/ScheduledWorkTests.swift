// Tests of actions that can be let go of.

import TestKit
import Testing

@testable import Weir

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

  /// The defect: each run wrapped the closure once more, so that a timer became slower with every date, until the stack
  /// was full.
  @Test func theWayToTheActionStaysAsShort() {
    var depths: Set<Int> = []
    let work = ScheduledWork {
      var here = 0
      withUnsafeMutablePointer(to: &here) { _ = depths.insert(Int(bitPattern: $0)) }
    }
    for _ in 0..<100 { if work.isAlive { work.run() } }
    #expect(depths.count == 1)
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
