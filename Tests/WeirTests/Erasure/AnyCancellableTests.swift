// Tests of the object that cancels when it is dropped.

import TestKit
import Testing
import Weir

@Suite struct AnyCancellableTests {
  @Test func cancelsOnce() {
    var count = 0
    let cancellable = AnyCancellable { count += 1 }
    #expect(count == 0)
    cancellable.cancel()
    #expect(count == 1)
    cancellable.cancel()
    #expect(count == 1)
  }

  @Test func cancelsWhenDropped() {
    var count = 0
    do {
      let cancellable = AnyCancellable { count += 1 }
      #expect(count == 0)
      withExtendedLifetime(cancellable) {}
    }
    #expect(count == 1)
  }

  @Test func doesNotCancelAgainWhenDropped() {
    var count = 0
    do {
      let cancellable = AnyCancellable { count += 1 }
      cancellable.cancel()
    }
    #expect(count == 1)
  }

  @Test func wrapsACancellable() {
    let subscription = RecordingSubscription()
    do {
      let cancellable = AnyCancellable(subscription)
      #expect(subscription.history == [])
      cancellable.cancel()
      #expect(subscription.history == [.cancelled])
    }
    #expect(subscription.history == [.cancelled])
  }

  @Test func cancellingFromWithinTheActionDoesNothing() {
    var count = 0
    var cancellable: AnyCancellable?
    cancellable = AnyCancellable {
      count += 1
      cancellable?.cancel()
    }
    cancellable?.cancel()
    #expect(count == 1)
  }

  @Test func freesTheActionOnCancelWhileItIsStillHeld() {
    let lifetimes = Lifetimes()
    let cancellable: AnyCancellable
    do {
      let tracked = lifetimes.track()
      cancellable = AnyCancellable { tracked.touch() }
    }
    #expect(lifetimes.live == 1)
    cancellable.cancel()
    #expect(lifetimes.live == 0)
  }

  @Test func equalsItselfAlone() {
    let first = AnyCancellable {}
    let second = AnyCancellable {}
    #expect(first == first)
    #expect(first != second)
    #expect(Set([first, second, first]).count == 2)
  }

  @Test func isKeptByCollectionsUntilTheyDropIt() {
    var count = 0
    var array: [AnyCancellable] = []
    var set: Set<AnyCancellable> = []
    AnyCancellable { count += 1 }.store(in: &array)
    AnyCancellable { count += 1 }.store(in: &set)
    #expect(count == 0)
    array = []
    #expect(count == 1)
    set = []
    #expect(count == 2)
  }

  @Test func cancelsOnceFromManyThreads() {
    for _ in 0..<200 {
      let count = Counter()
      let cancellable = Shared(Optional(AnyCancellable { count.add() }))
      onThreads(3) { _ in cancellable.value?.cancel() }
      cancellable.value = nil
      #expect(count.value == 1)
    }
  }
}
