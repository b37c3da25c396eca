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
    rules.begin(with: NumberModel())
    let token = rules.publisher.bind { (model: inout NumberModel) in model.text = "seen" }
    #expect(rules.settleFirst(NumberModel()).text == "seen")
    token.cancel()
  }

  @Test func theFirstValueHasARoundInWhichNothingDiffers() {
    let rules = RuleBook(NumberModel(), turn: TurnHandle(), late: .init(read: { nil }, write: { _ in }))
    rules.begin(with: NumberModel())
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
    rules.begin(with: NumberModel())
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

  /// Only the value before all of them was compared with the last one.
  @Test func rulesLearnThatValuesWhichLeadBackAreOverwritten() {
    for isPartWritten in [false, true] {
      let (seen, parts, peer, writes) = (Log<String>(), Log<Int>(), Peer(), Counter())
      let state = ManagedState(wrappedValue: Echoing(part: .init(seen: parts), seen: seen, peer: peer))
      peer.write = { _ in
        writes.add()
        for echo in [7, 0] { state.wrappedValue.echo = echo }
        if isPartWritten { state.wrappedValue.part.number = 3 }
      }
      seen.values = []
      state.withLock { value in
        value.number = 1
        value.echo = 5
      }
      #expect(state.wrappedValue.echo == 5 && writes.value == 1)
      #expect(seen.values == ["1: 5", "1: 7", "2: 7", "1: 0", "2: 0", "2: 5", "1: 5", "2: 5"])
      #expect(parts.values == (isPartWritten ? [0, 3, 0] : [0]))
      peer.write = { _ in }
    }
  }

  private struct Capped: BehavioralStateContract {
    var number = 0
    var echo = 5
    @IgnoredState var seen = Log<Int>()
    @IgnoredState var peer = Peer()

    mutating func applyRules() { echo = min(echo, 5) }

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bindDiffed(to: \.echo) { (diff: DiffedValue<Capped>) in diff.new.seen.values.append(diff.new.echo) }
      state.bindDiffed(to: \.number) { (diff: DiffedValue<Capped>) in diff.new.peer.write(diff.new.number) }
    }
  }

  /// They stayed with 5.
  @Test func rulesLearnThatWhatTheyHaveUndoneIsOverwritten() {
    let (seen, peer) = (Log<Int>(), Peer())
    let state = ManagedState(wrappedValue: Capped(seen: seen, peer: peer))
    peer.write = { _ in state.wrappedValue.echo = 9 }
    seen.values = []
    state.withLock { value in
      value.number = 1
      value.echo = 3
    }
    #expect(state.wrappedValue.echo == 3 && seen.values == [3, 5, 3])
    peer.write = { _ in }
  }

  private struct Caching: BehavioralStateContract {
    struct Summary: Equatable { var (number, echo) = (0, 0) }

    var number = 0
    var echo = 0
    @IgnoredState var cache = 0
    @IgnoredState var seen = Log<Int>()
    @IgnoredState var peer = Peer()
    var summary: Summary { Summary(number: number, echo: echo) }

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bind(to: \.number) { (model: inout Caching) in model.cache = model.number }
      state.bindDiffed(to: \.summary) { (model: inout Caching, diff: DiffedValue<Summary>) in
        if diff.hasChanged(keyPath: \.number) { model.seen.values.append(diff.number) }
      }
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

  /// It said so of a part that had not changed since.
  @Test func aDiffOfAPartThatCanOnlyBeReadSaysWhatHasChangedInWhatIsOverwritten() {
    let (seen, peer) = (Log<Int>(), Peer())
    let state = ManagedState(wrappedValue: Caching(seen: seen, peer: peer))
    peer.write = { _ in state.wrappedValue.echo = 7 }
    state.number = 1
    #expect(seen.values == [0, 1])
    peer.write = { _ in }
  }

  private final class Watch { var binding: UIBinding<Eager>? }

  private struct Eager: BehavioralStateContract {
    var echo = 0
    @IgnoredState var seen = Log<Int>()
    @IgnoredState var watch = Watch()

    @AnyTokenBuilder<Any>
    static func applyAnyRules(to state: UIBinding<Self>) -> [Any] { state.wrappedValue.watch.binding = state }

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bindDiffed(to: \.echo) { (diff: DiffedValue<Eager>) in diff.new.seen.values.append(diff.new.echo) }
      state.bindDiffed { (diff: DiffedValue<Eager>) in
        if diff.old == nil { diff.new.watch.binding?.wrappedValue.echo = 7 }
      }
    }
  }

  /// They stayed with 7.
  @Test func rulesLearnThatWhatTheyWriteWhileTheyAreMadeIsOverwritten() {
    let (seen, watch) = (Log<Int>(), Watch())
    let state = ManagedState(wrappedValue: Eager(seen: seen, watch: watch))
    #expect(state.echo == 0 && seen.values == [0, 7, 0])
    watch.binding = nil
  }
}
