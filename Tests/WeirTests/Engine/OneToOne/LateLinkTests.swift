// Tests of the subscription that its subscriber gets before there is one upstream.

import TestKit
import Testing
import Weir

/// Adds up what it is asked for, by any thread.
private final class CountingSubscription: Subscription {
  let asked = Counter()
  func request(_ demand: Subscribers.Demand) { asked.add(demand.max!) }
  func cancel() {}
}

@Suite struct LateLinkTests {
  @Test func keepsWhatIsAskedForUntilItsSubscriptionArrives() {
    let link = LateLink(name: "Late")
    link.request(.max(2))
    link.request(.max(3))
    let upstream = RecordingSubscription()
    link.connect(upstream, asking: .max(1))
    link.request(.max(7))
    #expect(upstream.history == [.requested(.max(6)), .requested(.max(7))])
    #expect(link.description == "Late")
  }

  @Test func asksForNothingIfNothingIsWanted() {
    let link = LateLink(name: "Late")
    let upstream = RecordingSubscription()
    link.connect(upstream, asking: .none)
    #expect(upstream.history == [])
  }

  @Test func aLinkLetsGoOfItsUpstreamAtTheEnd() {
    let link = LateLink(name: "Late")
    weak var weakUpstream: RecordingSubscription?
    do {
      let upstream = RecordingSubscription()
      weakUpstream = upstream
      link.connect(upstream, asking: .none)
    }
    #expect(weakUpstream != nil)
    link.complete()
    #expect(weakUpstream == nil)
  }

  @Test func noRequestIsLostWhileTheSubscriptionArrives() {
    for _ in 0..<500 {
      let link = LateLink(name: "Late")
      let upstream = CountingSubscription()
      onThreads([{ link.request(.max(3)) }, { link.connect(upstream, asking: .max(4)) }])
      #expect(upstream.asked.value == 7)
    }
  }

  @Test func everySubscriptionIsCancelledHoweverACancellationRaces() {
    for _ in 0..<500 {
      let link = LateLink(name: "Late")
      let upstream = RecordingSubscription()
      onThreads([{ link.cancel() }, { link.connect(upstream, asking: .none) }])
      #expect(upstream.history == [.cancelled])
    }
  }
}
