// Tests of what publishes to binding rules.

import TestKit
import Testing
import Weir

@testable import WeirState

@Suite struct RulesSubjectTests {
  private typealias Diff = DiffedValue<Int>

  private func diff(_ old: Int?, _ new: Int) -> Diff { Diff(old: old, get: new, set: { _ in }) }

  /// The rules of a state that has settled its first value, and the state's value.
  private final class Rules {
    let subject: RulesSubject<Int>
    private let value: Shared<Int>
    private let late: Candidate<Int>.Late

    init() {
      let value = Shared(0)
      let late = Candidate<Int>.Late(read: { value.value }, write: { _ in })
      let first = Candidate(0, turn: nil, late: late)
      self.value = value
      self.late = late
      subject = RulesSubject(first, turn: TurnHandle(), late: late)
      subject.close(first)
    }

    func send(_ new: Int) {
      subject.send(Candidate(new, turn: nil, late: late), after: value.value)
      value.value = new
    }
  }

  @Test func rulesGetTheValueAndThenEachDiffInTheOrderOfTheirSubscription() {
    let rules = Rules()
    let log = Log<String>()
    rules.subject.sink { (value: Int) in log.values.append("first \(value)") }.store(in: &log.cancellables)
    rules.send(1)
    rules.subject.sink { (value: Int) in log.values.append("second \(value)") }.store(in: &log.cancellables)
    rules.send(2)
    #expect(log.values == ["first 0", "first 1", "second 1", "first 2", "second 2"])
  }

  /// It got the last diff as it asked: what the others had changed was in none.
  @Test func aRuleThatHasMissedDiffsBeginsAnewAsItAsks() {
    let rules = Rules()
    let rule = RecordingSubscriber<Diff, Never>()
    rules.subject.subscribe(rule)
    rule.request(.none)
    rules.send(1)
    rule.request(.max(1))
    for number in 2...3 { rules.send(number) }
    rule.request(.max(2))
    for number in 4...6 { rules.send(number) }
    rule.request(.unlimited)
    #expect(rule.values == [diff(nil, 1), diff(nil, 3), diff(3, 4), diff(nil, 6)])
  }

  /// Its request came between the look for demand and the note of what it had missed, and nobody looked again.
  @Test func aRequestIsSeenThatComesBeforeItIsNotedWhatWasMissed() throws {
    let rules = Rules()
    let rule = RecordingSubscriber<Diff, Never>(.max(1))
    rules.subject.subscribe(rule)
    let link = try #require(rule.subscriptions.first as? RuleLink<Int>)
    let entry = RulesSubject<Int>.Rule(link: link) { rule.receive($0) }
    let isOffered = entry.offer(diff(0, 1), 1)
    rule.request(.max(1))
    let isAsked = rules.subject.miss(link)
    #expect(!isOffered && isAsked && rule.values == [diff(nil, 0)])
    rules.send(1)
    #expect(rule.values == [diff(nil, 0), diff(0, 1)])
    #expect(!rules.subject.miss(link), "nothing is asked for any more")
  }

  /// It got it as it asked, and again when it was its turn.
  @Test func aRuleThatAsksWithinTheCallOfAnotherGetsTheDiffOnce() {
    let rules = Rules()
    let log = Log<Int>()
    let second = RecordingSubscriber<Diff, Never>()
    rules.subject.sink { (value: Int) in if value == 1 { second.request(.unlimited) } }.store(in: &log.cancellables)
    rules.subject.subscribe(second)
    rules.send(1)
    rules.send(2)
    #expect(second.values == [diff(nil, 1), diff(1, 2)])
  }

  @Test func aRuleThatHasGotAnotherDiffSinceGetsTheOuterOneAgain() {
    let rules = Rules()
    let log = Log<Int>()
    let second = RecordingSubscriber<Diff, Never>()
    rules.subject.sink { (value: Int) in
      guard value == 1 else { return }
      second.request(.unlimited)
      rules.send(7)
    }.store(in: &log.cancellables)
    rules.subject.subscribe(second)
    rules.send(1)
    #expect(second.values == [diff(nil, 1), diff(0, 7), diff(0, 1)])
  }

  /// It got the outer one as a change from a value that it had not had.
  @Test func aRuleThatBeginsAnewWithinAnInnerRoundDoesSoAgainInTheOuterOne() {
    let rules = Rules()
    let log = Log<Int>()
    let second = RecordingSubscriber<Diff, Never>()
    rules.subject.sink { (value: Int) in
      if value == 1 { rules.send(7) }
      if value == 7 { second.request(.unlimited) }
    }.store(in: &log.cancellables)
    rules.subject.subscribe(second)
    rules.send(1)
    rules.send(2)
    #expect(second.values == [diff(nil, 7), diff(nil, 1), diff(1, 2)])
  }

  /// It has demand again once its call has returned, and heard nothing of its own write.
  @Test func whatARuleMissesWithinItsOwnCallComesAsThatAsks() {
    let rules = Rules()
    let rule = RecordingSubscriber<Diff, Never>(.max(1), perValue: .max(1))
    rule.onValue = { if $0.new == 0 { rules.send(1) } }
    rules.subject.subscribe(rule)
    rule.onValue = nil
    #expect(rule.values == [diff(nil, 0), diff(nil, 1)])
  }

  /// It got the diff that had been sent last, which is over.
  @Test func aRuleThatSubscribesWithinACallBeginsWithWhatIsBeingWorkedOn() {
    let rules = Rules()
    let log = Log<Int>()
    let late = RecordingSubscriber<Diff, Never>(.unlimited)
    rules.subject.sink { (value: Int) in
      guard value == 1 else { return }
      rules.send(7)
      rules.subject.subscribe(late)
    }.store(in: &log.cancellables)
    rules.send(1)
    rules.send(2)
    #expect(late.values == [diff(nil, 1), diff(1, 2)])
  }

  @Test func whatARuleSendsItselfComesWithinWhatItGets() {
    let rules = Rules()
    let log = Log<Int>()
    for _ in 0...1 {
      rules.subject.sink { (value: Int) in
        log.values.append(value)
        if value == 1, log.values.count == 3 { rules.send(2) }
      }.store(in: &log.cancellables)
    }
    rules.send(1)
    #expect(log.values == [0, 0, 1, 2, 2, 1])
  }

  @Test func aCancelledRuleIsFreedAndGetsNothing() {
    let rules = Rules()
    let lifetimes = Lifetimes()
    let log = Log<Int>()
    var token: AnyCancellable?
    do {
      let object = lifetimes.track()
      token = rules.subject.sink { (value: Int) in
        withExtendedLifetime(object) { log.values.append(value) }
        if value == 1 { token?.cancel() }
      }
    }
    rules.send(1)
    rules.send(2)
    #expect(log.values == [0, 1] && lifetimes.live == 0)
  }
}
