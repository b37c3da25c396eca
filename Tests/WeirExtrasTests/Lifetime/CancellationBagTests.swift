// Tests of the piece that the stores of subscriptions share.

import TestKit
import Testing
import Weir

@testable import WeirExtras

@Suite struct CancellationBagTests {
  private let bag = CancellationBag<String>()
  private let cancelled = Shared<[String]>([])

  private func cancellable(_ name: String) -> AnyCancellable { AnyCancellable { cancelled.value.append(name) } }

  @Test func anotherUnderTheSameKeyTakesThePlace() {
    #expect(bag.insert(cancellable("a"), for: "key") == nil)
    #expect(!bag.insertIfAbsent(cancellable("b"), for: "key"))
    #expect(cancelled.value == ["b"])
    bag.insert(cancellable("c"), for: "key")?.cancel()
    #expect(cancelled.value == ["b", "a"])
    #expect(bag.count == 1)
    bag.remove("key")?.cancel()
    #expect(cancelled.value == ["b", "a", "c"])
    #expect(bag.count == 0)
  }

  @Test func whatIsReplacedWhileThePredicateRunsIsCancelledAndItsSuccessorStays() {
    _ = bag.insert(cancellable("old"), for: "key")
    bag.cancel { _ in
      _ = bag.insert(cancellable("new"), for: "key")
      return true
    }
    #expect(cancelled.value == ["old"])
    #expect(bag.count == 1)
  }

  @Test func isEmptiedWhenItIsFreed() {
    do {
      let bag = CancellationBag<Int>()
      let kept = cancellable("kept")
      _ = bag.insert(kept, for: 1)
      withExtendedLifetime(kept) {}
    }
    #expect(cancelled.value == ["kept"])
  }

  @Test func aChangeOfTheSetLeavesTheRestAlone() {
    let bag = CancellationBag<BagKey>()
    let (kept, gone, new) = (cancellable("kept"), cancellable("gone"), cancellable("new"))
    for member in [kept, gone] { bag.insert(member) }
    bag.change(from: [gone], to: [new])
    #expect(Set(bag.all.map(\.value)) == [kept, new] && cancelled.value == [])
  }

  /// An endless stream went on for ever.
  @Test func whatSendsAtOnceCanBeCancelledMeanwhile() {
    let bag = CancellationBag<BagKey>()
    var seen: [Int] = []
    let token = bag.sink(sequence(first: 1) { $0 + 1 }.publisher, receiveCompletion: { _ in }) { value in
      seen.append(value)
      if value == 2 { bag.cancelAll() }
    }
    #expect(seen == [1, 2] && bag.count == 0)
    token.cancel()
  }

  @Test func aSubscriptionIsCancelledBeforeThereIsOne() {
    let later = ManualScheduler()
    let bag = CancellationBag<BagKey>()
    let token = bag.sink(Just(1).subscribe(on: later), receiveCompletion: { _ in }) { _ in Issue.record("a value") }
    #expect(bag.count == 1)
    token.cancel()
    #expect(bag.count == 0)
    later.run()
  }
}
