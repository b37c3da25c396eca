// Tests of `store(in:key:replacingExisting:)`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct KeyedStoreTests {
  private let cancelled = Shared<[String]>([])

  private func cancellable(_ name: String) -> AnyCancellable { AnyCancellable { cancelled.value.append(name) } }

  @Test func aDictionaryKeepsOnePerKey() {
    var subscriptions: [Int: AnyCancellable] = [:]
    #expect(cancellable("a").store(in: &subscriptions, key: 1).isKept)
    #expect(cancellable("b").store(in: &subscriptions, key: 2).isKept)
    let held = subscriptions[1]
    #expect(cancellable("c").store(in: &subscriptions, key: 1).isKept)
    #expect(cancelled.value == ["a"])
    #expect(!cancellable("d").store(in: &subscriptions, key: 1, replacingExisting: false).isKept)
    #expect(cancelled.value == ["a", "d"])
    #expect(subscriptions.count == 2)
    for subscription in subscriptions.values {
      let key = subscription === subscriptions[1] ? 1 : 2
      #expect(subscription.store(in: &subscriptions, key: key, replacingExisting: false).isKept)
    }
    withExtendedLifetime(held) {}
  }

  /// In the commonly copied version the key did nothing.
  @Test func aSetReplacesWhatWasStoredUnderTheKey() {
    var set = Set<AnyCancellable>()
    cancellable("a").store(in: &set, key: "load")
    cancellable("b").store(in: &set, key: "save")
    cancellable("plain").store(in: &set)
    cancellable("c").store(in: &set, key: "load")
    #expect(cancelled.value == ["a"])
    #expect(set.count == 3)
    cancellable("d").store(in: &set, key: "load", replacingExisting: false)
    #expect(set.count == 4)
    cancellable("e").store(in: &set, key: "load")
    #expect(cancelled.value.sorted() == ["a", "c", "d"])
    set = []
    #expect(cancelled.value.sorted() == ["a", "b", "c", "d", "e", "plain"])
  }

  @Test func storingASubscriptionAgainUnderItsKeyKeepsIt() {
    var byKey: [String: AnyCancellable] = [:]
    var set = Set<AnyCancellable>()
    let subscription = cancellable("a")
    for _ in 1...2 {
      #expect(subscription.store(in: &byKey, key: "load").isKept)
      #expect(subscription.store(in: &set, key: "load").isKept)
    }
    // What the set has is a token of it.
    #expect(!set.contains(subscription))
    for token in set { #expect(token.store(in: &set, key: "load").isKept) }
    #expect(cancelled.value == [] && set.count == 1)
    cancellable("b").store(in: &set, key: "load", replacingExisting: false)
    subscription.store(in: &set, key: "load")
    #expect(cancelled.value == ["b"] && set.count == 1)
    set = []
    #expect(cancelled.value == ["b", "a"])
  }

  @Test func aCancellationMayUseTheSetsKeys() {
    var other = Set<AnyCancellable>()
    var set = Set<AnyCancellable>()
    AnyCancellable { cancellable("inner").store(in: &other, key: "k") }.store(in: &set, key: "k")
    cancellable("outer").store(in: &set, key: "k")
    #expect(other.count == 1)
    #expect(cancelled.value == [])
  }

  private final class Owner {
    var byKey: [String: AnyCancellable] = [:]
    var observed: [String: AnyCancellable] = [:] { didSet {} }
    var set = Set<AnyCancellable>()
    var seen: [Int] = []
  }

  /// Where nobody keeps the outcome, it runs while the property is being changed, which stops the program.
  @Test func aCancellationMayUseAnObservedPropertyOnceTheOutcomeIsLetGoOf() {
    let owner = Owner()
    AnyCancellable { owner.seen.append(owner.observed.count) }.store(in: &owner.observed, key: "load")
    let outcome = cancellable("second").store(in: &owner.observed, key: "load")
    withExtendedLifetime(outcome) { #expect(owner.seen == []) }
  }

  /// It ran while the dictionary or the set was being changed, which stops the program.
  @Test func aCancellationMayUseTheCollectionThatItIsReplacedIn() {
    let owner = Owner()
    owner.byKey["other"] = cancellable("other")
    AnyCancellable {
      owner.byKey["other"] = nil; owner.seen.append(owner.byKey.count)
    }
    .store(in: &owner.byKey, key: "load")
    cancellable("second").store(in: &owner.byKey, key: "load")
    #expect(owner.seen == [1] && cancelled.value == ["other"])
    AnyCancellable { owner.seen.append(owner.set.count) }.store(in: &owner.set, key: "load")
    let outcome = cancellable("third").store(in: &owner.set, key: "load")
    #expect(owner.seen == [1] && outcome.isKept)
    _ = consume outcome
    #expect(owner.seen == [1, 1] && owner.set.count == 1)
  }
}
