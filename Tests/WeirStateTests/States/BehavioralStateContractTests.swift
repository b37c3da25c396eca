// Tests of models with rules, nested ones among them.

import Foundation
import TestKit
import Testing
import Weir
import WeirState

@Suite struct BehavioralStateContractTests {
  private struct Child: BehavioralStateContract {
    var number = 0
    var doubled = 0
    var tripled = 0
    mutating func applyRules() { doubled = number * 2 }
    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bind(to: \.number) { (child: inout Child) in child.tripled = child.number * 3 }
    }
    @AnyTokenBuilder<Any>
    static func applyAnyRules(to state: UIBinding<Self>) -> [Any] {
      state.bind(to: \.tripled) { (child: inout Child) in child.number = min(child.number, 100) }
    }
  }

  private struct Parent: BehavioralStateContract {
    var child = Child()
    var optional: Child?
    mutating func applyRules() { child.applyRules() }
    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.applyNestedRules(to: \.child)
      state.applyNestedRules(to: \.optional)
    }
    @AnyTokenBuilder<Any>
    static func applyAnyRules(to state: UIBinding<Self>) -> [Any] {
      state.applyNestedRules(to: \.child)
    }
  }

  @Test func nestedRulesOfEachKind() {
    @ManagedState var parent = Parent()
    parent.child.number = 5
    #expect(parent.child.doubled == 10 && parent.child.tripled == 15)
    parent.child.number = 500
    #expect(parent.child == Child(number: 100, doubled: 200, tripled: 300))
  }

  @Test func anOptionalModelHasNoRulesOfItsOwn() {
    @ManagedState var parent = Parent()
    parent.optional = Child(number: 5)
    #expect(parent.optional == Child(number: 5))
    #expect(ManagedState(wrappedValue: Child?.none).wrappedValue == nil)
  }

  @Test func notificationsReachTheState() {
    struct Model: BehavioralStateContract {
      static let name = Notification.Name("BehavioralStateContractTests")
      var count = 0
      @IgnoredState var center = NotificationCenter()
      @NotificationBuilder
      static func applyAnyRules(to state: ManagedState<Self>) -> [NotificationToken] {
        let box = Shared(state)
        state.wrappedValue.center.add(forName: name) { _ in box.value.wrappedValue.count += 1 }
      }
    }
    let center = NotificationCenter()
    @ManagedState var model = Model(center: center)
    center.post(name: Model.name)
    center.post(name: Model.name)
    #expect(model.count == 2)
  }

  /// It keeps the value: the tokens of the rules are the state's.
  @Test func theBindingThatRulesGetDoesNotKeepThem() {
    struct Model: BehavioralStateContract {
      var number = 0
      var plain = 0
      var bound = 0
      @IgnoredState var kept = Log<UIBinding<Model>>()

      mutating func applyRules() { plain = number }

      @SubscriptionBuilder
      static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
        state.bind(to: \.number) { (model: inout Model) in model.bound = model.number }
      }

      @AnyTokenBuilder<Any>
      static func applyAnyRules(to state: UIBinding<Self>) -> [Any] {
        state.wrappedValue.kept.values.append(state)
      }
    }
    let kept = Log<UIBinding<Model>>()
    do {
      let state = ManagedState(wrappedValue: Model(kept: kept))
      state.wrappedValue.number = 1
      #expect(state.wrappedValue.plain == 1 && state.wrappedValue.bound == 1)
    }
    kept.values[0].wrappedValue.number = 2
    let value = kept.values[0].wrappedValue
    #expect(value.plain == 2 && value.bound == 1)
    kept.values = []
  }

  /// As the document writes it: on the value.
  @Test func withLockOfAValueIsOneStepOfItsState() {
    final class Owner: Sendable {
      let state = ManagedState(wrappedValue: NumberModel())
    }
    let owner = Owner()
    let seen = Log<Int>()
    owner.state.justNew(\.number).sink { seen.values.append($0) }.store(in: &seen.cancellables)
    onThreads(4) { _ in
      for _ in 0..<250 {
        owner.state.wrappedValue.withLock { value in
          let number = value.number
          value.number = number - 1
          value.number = number + 1
        }
      }
    }
    #expect(owner.state.number == 1000)
    #expect(seen.values.sorted() == Array(0...1000))
    @ManagedState var counter = NumberModel()
    #expect(
      counter.withLock {
        $0.number += 2; return $0.number
      } == 2)
    #expect(counter.number == 2)
  }

  /// What the body had changed before was stored, and published.
  @Test func whatTheBodyOfWithLockThrowsLeavesTheValueAsItWas() {
    @ManagedState var counter = NumberModel()
    let seen = Log<Int>()
    $counter.justNew(\.number).sink { seen.values.append($0) }.store(in: &seen.cancellables)
    #expect(throws: TestFailure.self) {
      try counter.withLock { model throws(TestFailure) in
        model.number = 5
        throw TestFailure.first
      }
    }
    #expect(counter.number == 0 && seen.values == [0])
  }
}
