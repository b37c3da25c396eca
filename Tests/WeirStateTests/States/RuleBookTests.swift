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

  @Test func theFirstValueHasARoundInWhichNothingDiffers() {
    let rules = RuleBook(NumberModel(), turn: TurnHandle(), late: .init(read: { nil }, write: { _ in }))
    var diffs: [[Int?]] = []
    let token = rules.publisher.sink { (diff: DiffedValue<NumberModel>) in
      diffs.append([diff.old?.number, diff.new.number])
    }
    _ = rules.settleFirst(NumberModel())
    #expect(diffs == [[nil, 0], [0, 0]])
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

  private final class Peer: @unchecked Sendable { var write: (Int) -> Void = { _ in } }

  private struct Echoing: BehavioralStateContract {
    struct Part: BehavioralStateContract {
      var number = 0
      @IgnoredState var seen = Log<Int>()

      @SubscriptionBuilder
      static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
        state.bindDiffed(to: \.number) { (diff: DiffedValue<Part>) in diff.new.seen.values.append(diff.new.number) }
      }
    }

    var number = 0
    var echo = 0
    var part = Part()
    @IgnoredState var seen = Log<String>()
    @IgnoredState var peer = Peer()

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bindDiffed(to: \.echo) { (diff: DiffedValue<Echoing>) in diff.new.seen.values.append("1: \(diff.new.echo)")
      }
      state.applyNestedRules(to: \.part)
      state.bindDiffed(to: \.number) { (diff: DiffedValue<Echoing>) in diff.new.peer.write(diff.new.number) }
      state.bindDiffed(to: \.echo) { (diff: DiffedValue<Echoing>) in diff.new.seen.values.append("2: \(diff.new.echo)")
      }
    }
  }

  /// They had seen 7, and stayed with that.
  @Test func rulesLearnThatWhatWasStoredWithinAChangeIsOverwritten() {
    let (seen, parts, peer, writes) = (Log<String>(), Log<Int>(), Peer(), Counter())
    let state = ManagedState(wrappedValue: Echoing(part: .init(seen: parts), seen: seen, peer: peer))
    peer.write = { number in
      writes.add()
      state.wrappedValue.echo += 7
      state.wrappedValue.part.number = number + 7
    }
    (seen.values, parts.values) = ([], [])
    state.number = 1
    #expect(state.wrappedValue.echo == 0 && state.wrappedValue.part.number == 0)
    #expect(seen.values == ["1: 7", "2: 7", "1: 0", "2: 0"] && parts.values == [8, 0])
    #expect(writes.value == 1, "of the number they have learned already")
    peer.write = { _ in }
  }

  @Test func rulesLearnThatWhatAnotherStatesRuleHasWrittenIsOverwritten() {
    let seen = Log<String>()
    let (peer, otherPeer) = (Peer(), Peer())
    let state = ManagedState(wrappedValue: Echoing(seen: seen, peer: peer))
    let other = ManagedState(wrappedValue: Echoing(peer: otherPeer))
    peer.write = { other.wrappedValue.number = $0 }
    otherPeer.write = { state.wrappedValue.echo = 10 * $0 }
    seen.values = []
    state.number = 1
    #expect(state.wrappedValue.echo == 0 && seen.values == ["1: 10", "2: 10", "1: 0", "2: 0"])
    peer.write = { _ in }
    otherPeer.write = { _ in }
  }

  private struct Caching: BehavioralStateContract {
    var number = 0
    var echo = 0
    @IgnoredState var cache = 0
    @IgnoredState var peer = Peer()

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bind(to: \.number) { (model: inout Caching) in model.cache = model.number }
      state.bindDiffed(to: \.number) { (diff: DiffedValue<Caching>) in diff.new.peer.write(diff.new.number) }
    }
  }

  /// It was lost with the round in which it was written.
  @Test func anIgnoredPropertyKeepsWhatRulesWriteBeforeTheyLearnOfWhatIsOverwritten() {
    let peer = Peer()
    let state = ManagedState(wrappedValue: Caching(peer: peer))
    peer.write = { _ in state.wrappedValue.echo = 7 }
    state.number = 1
    #expect(state.cache == 1)
    peer.write = { _ in }
  }
}
