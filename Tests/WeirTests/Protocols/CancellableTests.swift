// Tests of keeping cancellable activities in collections.

import TestKit
import Testing
import Weir

@Suite struct CancellableTests {
  @Test func isKeptInACollectionUntilItDropsIt() {
    let subscription = RecordingSubscription()
    var kept: [AnyCancellable] = []
    subscription.store(in: &kept)
    #expect(kept.count == 1)
    #expect(subscription.history == [])
    kept.removeAll()
    #expect(subscription.history == [.cancelled])
  }

  @Test func isKeptInASetUntilItDropsIt() {
    let subscription = RecordingSubscription()
    var kept: Set<AnyCancellable> = []
    subscription.store(in: &kept)
    subscription.store(in: &kept)
    #expect(kept.count == 2)
    kept.removeFirst()
    #expect(subscription.history == [.cancelled])
    kept.removeAll()
    #expect(subscription.history == [.cancelled, .cancelled])
  }
}
