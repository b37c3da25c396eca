// Tests of the order of a run loop's actions, with a clock and timers of the test's own.

import Foundation
import TestKit
import Testing

@testable import WeirFoundation

@Suite struct DatedActionsTests {
  private let actions = DatedActions()
  private let ran = Shared([Int]())

  private func date(_ seconds: Int) -> Date { Date(timeIntervalSinceReferenceDate: TimeInterval(seconds)) }

  private func add(_ number: Int, at seconds: Int, every interval: TimeInterval? = nil) -> Int {
    actions.add(ScheduledWork { [ran] in ran.value.append(number) }, at: date(seconds), every: interval)
  }

  @Test(arguments: 0..<50) func whicheverTimerFiresFirstActionsRunInTheOrderOfTheirDates(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let dates = (1...40).map { $0 / 3 }.shuffled(using: &random)
    let timers = dates.enumerated().map { add($0.offset, at: $0.element) }
    let expected = dates.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    for timer in timers.shuffled(using: &random) { actions.fire(timer, at: date(20)) }
    #expect(ran.value == expected)
    #expect(actions.counts == (0, 0))
  }

  @Test func whatIsNotDueWaits() {
    let timers = [3, 1, 2].map { add($0, at: $0) }
    actions.fire(timers[1], at: date(1))
    #expect(ran.value == [1])
    actions.fire(timers[2], at: date(2))
    actions.fire(timers[0], at: date(3))
    #expect(ran.value == [1, 2, 3])
  }

  /// Timers and dates have clocks of their own, which don't agree to the last digit.
  @Test func anActionWhoseTimerFiresIsDueWhateverTheClockSays() {
    let (once, again) = (add(1, at: 5), add(2, at: 6, every: 10))
    actions.fire(once, at: date(4))
    #expect(ran.value == [1])
    actions.fire(again, at: date(4))
    #expect(ran.value == [1, 2])
    actions.fire(again, at: date(15))
    #expect(ran.value == [1, 2, 2])
  }

  @Test func aRepeatedActionRunsOnceForADateWhoeverRunsIt() {
    let again = add(1, at: 10, every: 10)
    let once = add(2, at: 11)
    actions.fire(once, at: date(12))
    #expect(ran.value == [1, 2])
    actions.fire(again, at: date(12))
    #expect(ran.value == [1, 2])
    actions.fire(again, at: date(20))
    #expect(ran.value == [1, 2, 1])
    #expect(actions.counts == (1, 1))
  }

  @Test func aRepeatedActionLeavesOutTheDatesThatItMissed() {
    let again = add(1, at: 10, every: 10)
    actions.fire(again, at: date(45))
    #expect(ran.value == [1])
    actions.fire(add(2, at: 49), at: date(49))
    #expect(ran.value == [1, 2])
    actions.fire(again, at: date(50))
    #expect(ran.value == [1, 2, 1])
  }

  @Test func removedActionsDoNotRunAndLeaveNothingBehind() {
    let lifetimes = Lifetimes()
    var timers: [Int] = []
    for number in 0..<1_000 {
      let tracked = lifetimes.track()
      timers.append(actions.add(ScheduledWork { tracked.touch() }, at: date(number), every: 1))
    }
    let kept = add(1, at: 2_000)
    for timer in timers { actions.remove(timer) }
    #expect(lifetimes.live == 0)
    #expect(actions.counts.actions == 1)
    #expect(actions.counts.entries < 20)
    for timer in timers { actions.fire(timer, at: date(1_999)) }
    #expect(ran.value == [])
    actions.fire(kept, at: date(2_000))
    #expect(ran.value == [1])
  }

  @Test func anActionMayScheduleAndRunOthers() {
    let (first, second) = (Shared(0), add(2, at: 2))
    first.value = actions.add(
      ScheduledWork { [actions, ran] in
        ran.value.append(1)
        let overdue = actions.add(ScheduledWork { ran.value.append(3) }, at: Date(timeIntervalSinceReferenceDate: 4))
        actions.fire(second, at: Date(timeIntervalSinceReferenceDate: 3))
        actions.fire(overdue, at: Date(timeIntervalSinceReferenceDate: 4))
        ran.value.append(-1)
      }, at: date(1))
    actions.fire(first.value, at: date(3))
    #expect(ran.value == [1, 2, 3, -1])
  }

  @Test func eachLoopHasItsOwn() {
    let here = DatedActions.of(.current)
    #expect(DatedActions.of(.current) === here)
    #expect(DatedActions.of(LoopThread.runLoop) !== here)
    var others: [DatedActions] = []
    for _ in 0..<20 {
      onThreads(1) { _ in others.append(DatedActions.of(.current)) }
    }
    #expect(Set(others.map(ObjectIdentifier.init)).count == 20)
  }
}
