// Tests of the rounds in which rules settle a value.

import TestKit
import Testing
import Weir

@testable import WeirState

@Suite struct RuleBookTests {
  @Test func roundsEndWhenNothingChanges() {
    let rules = RuleBook(NumberModel(), turn: TurnHandle(), late: .init(read: { nil }, write: { _ in }))
    var diffs: [[Int?]] = []
    let token = rules.publisher.sink { (diff: DiffedValue<NumberModel>) in
      diffs.append([diff.old?.number, diff.new.number, diff.new.doubled])
    }
    var changed = NumberModel()
    changed.number = 4
    let settled = rules.settle(NumberModel(), changed)
    #expect(settled?.doubled == 8)
    #expect(diffs == [[nil, 0, 0], [0, 4, 8], [4, 4, 8]])
    token.cancel()
  }

  @Test func theFirstValueIncludesWhatRulesWroteOnSubscription() {
    let rules = RuleBook(NumberModel(), turn: TurnHandle(), late: .init(read: { nil }, write: { _ in }))
    let token = rules.publisher.bind { (model: inout NumberModel) in model.text = "seen" }
    #expect(rules.settleFirst(NumberModel()).text == "seen")
    token.cancel()
  }

  @Test func whatIsWrittenIntoTheDiffOfAFormerRoundGoesElsewhere() {
    var late: [String] = []
    let rules = RuleBook(NumberModel(), turn: TurnHandle(), late: .init(read: { nil }, write: { late.append($0.text) }))
    var kept: DiffedValue<NumberModel>?
    let token = rules.publisher.sink { (diff: DiffedValue<NumberModel>) in kept = diff }
    _ = rules.settleFirst(NumberModel())
    kept?.new.text = "late"
    #expect(late == ["late"] && kept?.new.text == "")
    token.cancel()
  }
}
