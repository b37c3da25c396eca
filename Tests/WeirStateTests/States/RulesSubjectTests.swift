// Tests of what publishes to binding rules.

import TestKit
import Testing
import Weir

@testable import WeirState

@Suite struct RulesSubjectTests {
  private typealias Diff = DiffedValue<Int>

  private func diff(_ old: Int?, _ new: Int) -> Diff { Diff(old: old, get: new, set: { _ in }) }

  private func subject() -> RulesSubject<Int> { RulesSubject(diff(nil, 0), turn: TurnHandle()) }

  @Test func rulesGetTheNewestDiffAndThenEachInTheOrderOfTheirSubscription() {
    let subject = subject()
    let log = Log<String>()
    subject.sink { (value: Int) in log.values.append("first \(value)") }.store(in: &log.cancellables)
    subject.send(diff(0, 1))
    subject.sink { (value: Int) in log.values.append("second \(value)") }.store(in: &log.cancellables)
    subject.send(diff(1, 2))
    #expect(log.values == ["first 0", "first 1", "second 1", "first 2", "second 2"])
  }

  @Test func aRuleThatHasMissedDiffsGetsTheNewestAsItAsks() {
    let subject = subject()
    let rule = RecordingSubscriber<Diff, Never>()
    subject.subscribe(rule)
    rule.request(.none)
    subject.send(diff(0, 1))
    rule.request(.max(1))
    for number in 2...3 { subject.send(diff(number - 1, number)) }
    rule.request(.max(2))
    for number in 4...6 { subject.send(diff(number - 1, number)) }
    rule.request(.unlimited)
    #expect(rule.values == [diff(0, 1), diff(2, 3), diff(3, 4), diff(5, 6)])
  }

  @Test func whatARuleSendsItselfComesWithinWhatItGets() {
    let subject = subject()
    let log = Log<Int>()
    for _ in 0...1 {
      subject.sink { (value: Int) in
        log.values.append(value)
        if value == 1, log.values.count == 3 { subject.send(self.diff(1, 2)) }
      }.store(in: &log.cancellables)
    }
    subject.send(diff(0, 1))
    #expect(log.values == [0, 0, 1, 2, 2, 1])
  }

  @Test func aCancelledRuleIsFreedAndGetsNothing() {
    let subject = subject()
    let lifetimes = Lifetimes()
    let log = Log<Int>()
    var token: AnyCancellable?
    do {
      let object = lifetimes.track()
      token = subject.sink { (value: Int) in
        withExtendedLifetime(object) { log.values.append(value) }
        if value == 1 { token?.cancel() }
      }
    }
    subject.send(diff(0, 1))
    subject.send(diff(1, 2))
    #expect(log.values == [0, 1] && lifetimes.live == 0)
  }
}
