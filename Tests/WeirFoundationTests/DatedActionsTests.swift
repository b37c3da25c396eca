// Tests of the order of actions that wait for their dates, with a clock and an alarm of the test's own.

import Foundation
import TestKit
import Testing
import Weir

@testable import WeirFoundation

/// Notes what it is set to.
private final class NotedAlarm: Alarm {
  /// The date that it is set to.
  let date = Shared<Date?>(nil)
  /// How often it was set.
  let count = Counter()

  func ring(_ actions: DatedActions, at date: Date?) {
    self.date.value = date
    count.add()
  }
}

@Suite struct DatedActionsTests {
  private let alarm = NotedAlarm()
  private let actions: DatedActions
  private let ran = Shared([Int]())

  init() { actions = DatedActions(alarm: alarm) }

  private func date(_ seconds: Int) -> Date { Date(timeIntervalSinceReferenceDate: TimeInterval(seconds)) }

  private func add(_ number: Int, at seconds: Int, every interval: TimeInterval? = nil) -> Int {
    actions.add(ScheduledWork { [ran] in ran.value.append(number) }, at: date(seconds), every: interval)
  }

  @Test(arguments: 0..<50) func actionsRunInTheOrderOfTheirDates(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let dates = (1...40).map { $0 / 3 }.shuffled(using: &random)
    for (number, date) in dates.enumerated() { _ = add(number, at: date) }
    let expected = dates.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    for moment in 0..<20 where alarm.date.value.map({ $0 <= date(moment) }) ?? false { actions.fire(at: date(moment)) }
    #expect(ran.value == expected)
    #expect(actions.counts == (0, 0))
    #expect(alarm.date.value == nil)
  }

  @Test func whatIsNotDueWaits() {
    for number in [3, 1, 2] { _ = add(number, at: number) }
    for number in 1...3 {
      #expect(alarm.date.value == date(number))
      actions.fire(at: date(number))
      #expect(ran.value == Array(1...number))
    }
    #expect(alarm.date.value == nil)
  }

  /// The date after −∞ was no number, and due for ever.
  @Test(arguments: [-.infinity, -.greatestFiniteMagnitude, -1e300, -1e20])
  func whatIsRepeatedFromTooLongAgoGoesOnFromNow(seconds: TimeInterval) {
    let long = Date(timeIntervalSinceReferenceDate: seconds)
    let identity = actions.add(ScheduledWork { [ran] in ran.value.append(1) }, at: long, every: 10)
    actions.fire(at: date(5))
    #expect(ran.value == [1])
    #expect(alarm.date.value.map { $0 > date(5) && $0 <= date(15) } == true)
    actions.fire(at: date(15))
    #expect(ran.value == [1, 1])
    actions.remove(identity)
    #expect(alarm.date.value == nil)
  }

  @Test func theAlarmIsSetForTheEarliestOnly() {
    for number in 10..<1_000 { _ = add(number, at: number) }
    #expect(alarm.count.value == 1)
    _ = add(1, at: 5)
    #expect(alarm.date.value == date(5))
    #expect(alarm.count.value == 2)
  }

  /// Alarms and dates have clocks of their own, which don't agree to the last digit, and the calendar may be set back.
  @Test func whatTheAlarmWasSetToIsDueWhateverTheCalendarSays() {
    _ = add(1, at: 5)
    let again = add(2, at: 6, every: 10)
    actions.fire(at: date(4))
    #expect(ran.value == [1])
    actions.fire(at: date(4))
    #expect(ran.value == [1, 2])
    actions.fire(at: date(15))
    #expect(ran.value == [1, 2, 2])
    actions.remove(again)
  }

  /// It rang for another date, for which an action waited that has been let go of since.
  @Test func anAlarmThatRingsBeforeItsDateRunsNothing() {
    let start = DispatchTime.now()
    let early = add(1, at: 1)
    _ = actions.add(ScheduledWork { [ran] in ran.value.append(2) }, at: Date() + 1_000_000)
    actions.remove(early)
    actions.fire(at: Date(), uptime: start)
    #expect(ran.value == [])
    #expect(actions.counts.actions == 1)
    #expect(alarm.date.value.map { $0 > Date() + 900_000 } == true)
  }

  @Test func aRepeatedActionLeavesOutTheDatesThatItMissed() {
    _ = add(1, at: 10, every: 10)
    actions.fire(at: date(45))
    #expect(ran.value == [1])
    #expect(alarm.date.value == date(50))
    _ = add(2, at: 49)
    actions.fire(at: date(49))
    #expect(ran.value == [1, 2])
    actions.fire(at: date(50))
    #expect(ran.value == [1, 2, 1])
    #expect(actions.counts == (1, 1))
  }

  @Test func removedActionsDoNotRunAndLeaveNothingBehind() {
    let lifetimes = Lifetimes()
    var removed: [Int] = []
    for number in 0..<1_000 {
      let tracked = lifetimes.track()
      removed.append(actions.add(ScheduledWork { tracked.touch() }, at: date(number), every: 1))
    }
    // Some of them have been sorted in, and some not.
    actions.fire(at: date(-1), uptime: .init(uptimeNanoseconds: 0))
    for number in 0..<1_000 {
      let tracked = lifetimes.track()
      removed.append(actions.add(ScheduledWork { tracked.touch() }, at: date(number), every: 1))
    }
    let kept = add(1, at: 2_000)
    for identity in removed { actions.remove(identity) }
    #expect(lifetimes.live == 0)
    #expect(actions.counts.actions == 1)
    #expect(actions.counts.entries < 20)
    actions.fire(at: date(1_999), uptime: .init(uptimeNanoseconds: 0))
    #expect(ran.value == [])
    #expect(alarm.date.value == date(2_000))
    actions.remove(kept)
    #expect(alarm.date.value == nil)
  }

  @Test func theAlarmIsNotSetForWhatHasBeenRemoved() {
    let (removed, due) = (add(1, at: 100), Shared(0))
    _ = add(2, at: 200)
    actions.add(ScheduledWork { [actions] in actions.remove(removed) }, at: date(1))
    due.value = actions.add(ScheduledWork { [actions] in actions.remove(due.value) }, at: date(2), every: 1)
    actions.fire(at: date(1))
    actions.fire(at: date(2))
    #expect(alarm.date.value == date(200))
  }

  /// As `debounce` and `timeout` do for each value.
  @Test func whatIsReplacedAgainAndAgainLeavesNothingBehind() {
    for number in 0..<10_000 { actions.remove(add(number, at: 1_000_000)) }
    #expect(actions.counts.actions == 0)
    #expect(actions.counts.entries < 20)
  }

  @Test func anActionMayScheduleAndRunOthers() {
    for (number, seconds) in [(2, 2), (4, 4)] { _ = add(number, at: seconds) }
    actions.add(
      ScheduledWork { [actions, ran, alarm] in
        ran.value.append(1)
        let moment = Date(timeIntervalSinceReferenceDate: 3)
        actions.add(ScheduledWork { ran.value.append(3) }, at: moment)
        // It rings again for what is still to be run, where the action turns the loop.
        #expect(alarm.date.value == Date(timeIntervalSinceReferenceDate: 2))
        actions.fire(at: moment)
        ran.value.append(-1)
      }, at: date(1))
    actions.fire(at: date(4))
    #expect(ran.value == [1, 2, 3, -1, 4])
  }

  /// The pass within sorts it in, but it was not there when the outer one began.
  @Test func whatIsAddedInAPassWithinWaitsForTheNextAsWell() {
    actions.add(
      ScheduledWork { [actions, ran] in
        ran.value.append(1)
        actions.fire(at: Date(timeIntervalSinceReferenceDate: 2))
      }, at: date(1))
    actions.add(
      ScheduledWork { [actions, ran] in
        ran.value.append(2)
        actions.add(ScheduledWork { ran.value.append(3) }, at: Date(timeIntervalSinceReferenceDate: 3))
      }, at: date(2))
    _ = add(4, at: 4)
    actions.fire(at: date(4))
    #expect(ran.value == [1, 2, 4])
    #expect(alarm.date.value == date(3))
    actions.fire(at: date(4))
    #expect(ran.value == [1, 2, 4, 3])
    #expect(actions.counts == (0, 0))
    #expect(alarm.date.value == nil)
  }

  /// Other timers of the loop have their turn, however often an action schedules itself for a date that has passed.
  @Test func whatIsAddedInAPassWaitsForTheNext() {
    let others = Counter()
    func add(_ count: Int) {
      let work = ScheduledWork {
        others.add()
        if count < 1_000 { add(count + 1) }
      }
      actions.add(work, at: .distantPast)
    }
    add(1)
    for pass in 1...3 {
      actions.fire(at: date(0))
      #expect(others.value == pass)
      #expect(alarm.date.value == .distantPast)
    }
  }
}
