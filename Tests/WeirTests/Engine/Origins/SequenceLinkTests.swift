// Tests of the subscription to a sequence: who delivers, and what is held how long.

import TestKit
import Testing

@testable import Weir

@Suite struct SequenceLinkTests {
  typealias Recorder = RecordingSubscriber<LifetimeTracked, Never>

  private let lifetimes = Lifetimes()

  /// A subscriber whose fate can be watched, and its subscription; neither keeps the other.
  private func subscribed(
    to elements: [LifetimeTracked], onValue: @escaping (LifetimeTracked, any Subscription) -> Void = { _, _ in }
  ) -> (any Subscription) {
    var subscription: (any Subscription)?
    let inSubscriber = lifetimes.track(-1)
    let recorder = RecordingSubscriber(of: LifetimeTracked.self, failingWith: Never.self)
    recorder.keepsSubscriptions = false
    recorder.onSubscription = { subscription = $0 }
    recorder.onValue = { value in
      inSubscriber.touch()
      if let subscription { onValue(value, subscription) }
    }
    elements.deliver(to: recorder)
    let result = subscription!
    recorder.onCompletion = { _ in subscription = nil }
    return result
  }

  @Test func holdsElementsAndSubscriberUntilTheEnd() {
    let subscription = subscribed(to: (0..<5).map { lifetimes.track($0) })
    #expect(lifetimes.live == 6)
    subscription.request(.max(2))
    #expect(lifetimes.live == 6)
    subscription.request(.unlimited)
    #expect(lifetimes.live == 0)
    #expect("\(subscription)" == "Sequence")
  }

  @Test func cancellingFreesEverythingAtOnce() {
    for demand in [Subscribers.Demand?.none, .max(2)] {
      let subscription = subscribed(to: (0..<5).map { lifetimes.track($0) })
      if let demand { subscription.request(demand) }
      subscription.cancel()
      #expect(lifetimes.live == 0)
    }
  }

  @Test func cancellingDuringAValueFreesEverythingWhenTheValueIsOver() {
    var liveInside = 0
    let subscription = subscribed(to: (0..<5).map { lifetimes.track($0) }) { [lifetimes] value, subscription in
      if value.number == 1 { subscription.cancel() }
      liveInside = lifetimes.live
    }
    subscription.request(.max(4))
    #expect(liveInside == 6)
    #expect(lifetimes.live == 0)
  }

  @Test func anotherThreadsRequestOnlyAddsDemandWhileOneDelivers() {
    let recorder = RecordingSubscriber(.max(1), of: Int.self, failingWith: Never.self)
    recorder.onValue = { value in
      guard value == 1 else { return }
      onThreads(1) { _ in recorder.request(.max(2)) }
      #expect(recorder.values == [1])
    }
    (1...9).deliver(to: recorder)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func namedOriginsRefuseToBeAskedForNothing() async {
    let recorder = RecordingSubscriber(.some(.none), of: Int.self, failingWith: Never.self)
    (1...3).deliver(to: recorder)
    #expect(recorder.values == [])
    await #expect(processExitsWith: .failure) {
      (1...3).deliver(
        to: RecordingSubscriber(.some(.none), of: Int.self, failingWith: Never.self), as: "Named")
    }
  }
}
