// The models that the tests of several files share.

import Foundation
import TestKit
import Weir
import WeirState

struct NumberModel: BehavioralStateContract, Sendable {
  var number = 0
  var text = ""
  var doubled = 0
  var history = 0

  mutating func applyRules() { doubled = number * 2 }

  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    state.bindDiffed(to: \.number) { pair in pair.new.history = (pair.old?.number ?? 0) * 1000 + pair.new.number }
  }
}

struct Person: Equatable, Hashable, Sendable {
  var name = "Alice"
  var age = 30
  var greeting: String { "Hello, \(name)" }
}

/// Keeps what sinks receive.
final class Log<Value> {
  var values: [Value] = []
  var cancellables: Set<AnyCancellable> = []
}
