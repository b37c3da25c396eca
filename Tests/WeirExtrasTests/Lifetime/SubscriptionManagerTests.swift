// Tests of `SubscriptionManager`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct SubscriptionManagerTests {
  private let manager = SubscriptionManager()
  private let lifetimes = Lifetimes()

  @Test func cancelsAllAtOnceAndWhenItIsFreed() {
    let cancelled = Counter()
    manager.store(AnyCancellable { cancelled.add() })
    manager.store(AnyCancellable { cancelled.add() })
    #expect(manager.count == 2)
    manager.cancelAll()
    #expect(cancelled.value == 2)
    #expect(manager.count == 0)
    let kept = AnyCancellable { cancelled.add() }
    do {
      let other = SubscriptionManager()
      other.store(kept)
    }
    #expect(cancelled.value == 3)
  }

  /// The commonly copied version held its lock meanwhile, and waited for itself for ever.
  @Test func aCancellationMayComeBackToTheManager() {
    let cancelled = Counter()
    manager.store(
      AnyCancellable { [unowned manager] in
        manager.store(AnyCancellable { cancelled.add() })
        manager.cancel { _ in true }
        manager.cancelAll()
        cancelled.add()
      })
    manager.cancelAll()
    #expect(cancelled.value == 2)
    #expect(manager.count == 0)
  }

  @Test func aPredicateMayComeBackToTheManager() {
    let cancelled = Counter()
    let chosen = AnyCancellable { cancelled.add() }
    manager.store(chosen)
    manager.cancel { cancellable in
      manager.store(AnyCancellable { cancelled.add(10) })
      return cancellable === chosen
    }
    #expect(cancelled.value == 1)
    #expect(manager.count == 1)
  }

  /// The commonly copied version only let go of it.
  @Test func whatIsChosenIsCancelledAlsoWhereSomebodyElseHoldsIt() {
    let cancelled = Counter()
    let held = AnyCancellable { cancelled.add() }
    manager.store(held)
    manager.cancel { $0 === held }
    #expect(cancelled.value == 1)
    withExtendedLifetime(held) {}
  }

  /// The commonly copied version kept it for ever.
  @Test func whatHasFinishedIsNotKept() {
    let subject = PassthroughSubject<LifetimeTracked, Never>()
    var ends = 0
    for _ in 0..<3 {
      let tracked = lifetimes.track()
      manager.sink(subject, receiveCompletion: { _ in ends += 1 }, receiveValue: { _ in tracked.touch() })
    }
    manager.sink(Just(1)) { _ in }
    #expect(manager.count == 3)
    let alone = manager.sink(subject) { _ in }
    #expect(manager.count == 4)
    alone.cancel()
    #expect(manager.count == 3)
    subject.send(completion: .finished)
    #expect(manager.count == 0)
    #expect(ends == 3)
    #expect(lifetimes.live == 0)
  }

  @Test func whatHasFinishedStaysWhereItIsStoredOnceMore() {
    let subject = PassthroughSubject<Int, Never>()
    manager.store(manager.sink(subject) { _ in }, key: 1)
    #expect(manager.count == 2)
    subject.send(completion: .finished)
    #expect(manager.count == 1)
  }

  @Test func keepsOneSubscriptionPerKey() {
    let cancelled = Shared<[String]>([])
    func cancellable(_ name: String) -> AnyCancellable { AnyCancellable { cancelled.value.append(name) } }
    #expect(manager.store(cancellable("a"), key: "load"))
    #expect(manager.store(cancellable("b"), key: "load"))
    #expect(cancelled.value == ["a"])
    #expect(!manager.store(cancellable("c"), key: "load", replacingExisting: false))
    let d = cancellable("d")
    #expect(manager.store(d, key: 7))
    #expect(manager.store(d, key: 7, replacingExisting: false))
    #expect(cancelled.value == ["a", "c"])
    manager.cancel(key: "load")
    #expect(cancelled.value == ["a", "c", "b"])
    #expect(manager.count == 1)
    manager.cancelAll()
    #expect(cancelled.value == ["a", "c", "b", "d"])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func eightThreadsLoseNothingAndNeverWaitForEachOther(seed: UInt64) {
    let (made, cancelled) = (Counter(), Counter())
    let manager = SubscriptionManager()
    onThreads(8) { thread in
      var random = SplitMix(seed: seed &* 100 &+ UInt64(thread))
      for number in 0..<300 {
        let cancellable = AnyCancellable {
          cancelled.add()
          _ = manager.count
        }
        made.add()
        switch Int.random(in: 0..<5, using: &random) {
        case 0: manager.store(cancellable, key: number % 7)
        case 1:
          manager.store(cancellable)
          manager.cancel { $0 === cancellable }
        case 2:
          manager.store(cancellable)
          manager.cancelAll()
        case 3: manager.sink(Just(1).handleEvents(receiveOutput: { _ in cancellable.cancel() })) { _ in }
        default: manager.store(cancellable)
        }
      }
    }
    manager.cancelAll()
    #expect(cancelled.value == made.value)
    #expect(manager.count == 0)
  }

  /// They were equal without having the same hash: 100 or 200 were kept, by chance.
  @Test func keysThatAreTheSameAsAnyHashableAreOne() {
    let manager = SubscriptionManager()
    for key in 0..<100 {
      manager.store(AnyCancellable {}, key: key)
      manager.store(AnyCancellable {}, key: Double(key))
    }
    #expect(manager.count == 100)
    manager.cancel(key: 7.0)
    #expect(manager.count == 99)
  }

  private struct Reentrant: Hashable, Sendable {
    let manager: SubscriptionManager
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.manager.count >= 0 }
    func hash(into hasher: inout Hasher) { hasher.combine(manager.count >= 0) }
  }

  /// They ran under the manager's lock, so that this waited for itself.
  @Test func aKeyMayUseTheManager() {
    let manager = SubscriptionManager()
    for _ in 0..<2 { manager.store(AnyCancellable {}, key: Reentrant(manager: manager)) }
    #expect(manager.count == 1)
    manager.cancelAll()
  }
}
