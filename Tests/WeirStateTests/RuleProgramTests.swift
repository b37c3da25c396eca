// Random programs for rules that write into their own state: what each has heard last of a part is what the part is.

import TestKit
import Testing
import Weir
import WeirState

/// What the rules of a model hear, and do.
private final class Rules: @unchecked Sendable {
  /// What each rule has heard last of each part.
  var heard: [[Int]] = []
  /// The subscribers of those that don't ask for everything: one asks when it is told to, one in return for each diff.
  var slow: [RecordingSubscriber<DiffedValue<Model>, Never>] = []
  var act: (DiffedValue<Model>, _ place: Int) -> Void = { _, _ in }

  nonisolated(unsafe) static var made = Rules()

  func hear(_ diff: DiffedValue<Model>, as rule: Int) {
    for (index, part) in [\Model.a, \Model.b, \Model.c].enumerated() where diff.hasChanged(keyPath: part) {
      heard[rule][index] = diff.new[keyPath: part]
    }
  }
}

private struct Model: BehavioralStateContract {
  var step = 0
  var a = 0
  var b = 0
  var c = 0

  mutating func applyRules() { if a > 6 { a = 0 } }

  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    let rules = Rules.made
    for place in 0..<3 {
      let rule = rules.heard.count
      rules.heard += [[Int]](repeating: [-1, -1, -1], count: 2)
      state.sink { (diff: DiffedValue<Model>) in rules.hear(diff, as: rule) }
      slow(state, rules, rule + 1, place == 0 ? .none : .max(1))
      state.bindDiffed(to: [\.step, \.a, \.b][place]) { (diff: DiffedValue<Model>) in rules.act(diff, place) }
    }
  }

  private static func slow(
    _ state: RulesPublisher, _ rules: Rules, _ rule: Int, _ more: Subscribers.Demand
  ) -> AnyCancellable {
    let subscriber = RecordingSubscriber<DiffedValue<Model>, Never>(.max(1), perValue: more)
    subscriber.onValue = { rules.hear($0, as: rule) }
    rules.slow.append(subscriber)
    state.subscribe(subscriber)
    return AnyCancellable { subscriber.cancel() }
  }
}

@Suite(.serialized) struct RuleProgramTests {
  @Test(arguments: 0..<4) func rulesThatWriteIntoTheirOwnStateAgreeWithIt(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      func number() -> Int { Int.random(in: 0..<9, using: &random) }
      let rules = Rules()
      Rules.made = rules
      let state = ManagedState(wrappedValue: Model())
      defer {
        rules.act = { _, _ in }
        for subscriber in rules.slow {
          subscriber.onValue = nil
          subscriber.cancel()
        }
        rules.slow = []
      }
      var budget = 0
      rules.act = { diff, place in
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
          guard budget > 0 else { return }
          budget -= 1
          switch Int.random(in: 0..<7, using: &random) {
          case 0: state.wrappedValue.a = number()
          case 1: state.wrappedValue.b = number()
          case 2: state.wrappedValue.c = number()
          case 3: state.wrappedValue.step = number()
          case 4: rules.slow[0].request(.max(1))
          // By one rule alone, as two could undo each other within a round.
          case 5 where place == 0: diff.c = number()
          case 6 where place == 0: diff.b = number()
          default: break
          }
        }
      }
      for _ in 0..<4 {
        budget = Int.random(in: 0..<7, using: &random)
        let (a, b, c) = (number(), number(), number())
        state.withLock { value in
          value.step += 1
          if a < 7 { value.a = a }
          if b < 5 { value.b = b }
          if c < 5 { value.c = c }
        }
        rules.slow[0].request(.max(1))
        let parts = [state.a, state.b, state.c] as [Int]
        guard rules.heard.allSatisfy({ $0 == parts }) else {
          #expect(rules.heard == rules.heard.map { _ in parts }, "seed \(seed)")
          return
        }
      }
    }
  }
}
