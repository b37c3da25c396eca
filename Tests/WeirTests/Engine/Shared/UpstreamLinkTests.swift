// Tests of the link between an upstream and a downstream.

import TestKit
import Testing
import Weir

@Suite struct UpstreamLinkTests {
  private let upstream = RecordingSubscription()
  private let link = UpstreamLink(name: "Test", scale: 3)

  @Test func forwardsScaledDemandWhileConnected() {
    link.request(.max(1))
    #expect(!link.isConnected)
    #expect(link.connect(upstream))
    #expect(link.isConnected)
    link.request(.max(2))
    link.request(.unlimited)
    #expect(upstream.history == [.requested(.max(6)), .requested(.unlimited)])
  }

  @Test func takesOneSubscriptionOnly() {
    let second = RecordingSubscription()
    #expect(link.connect(upstream))
    #expect(!link.connect(second))
    #expect(second.history == [.cancelled])
    #expect(upstream.history == [])
  }

  @Test func disconnectsOnce() {
    #expect(link.connect(upstream))
    #expect(link.disconnect())
    #expect(!link.disconnect())
    #expect(!link.complete())
    link.request(.max(1))
    link.cancel()
    #expect(!link.isConnected)
    #expect(upstream.history == [.cancelled])
  }

  @Test func completesOnceWithoutCancelling() {
    #expect(!link.complete())
    #expect(link.connect(upstream))
    #expect(link.complete())
    #expect(!link.complete())
    link.cancel()
    link.request(.max(1))
    #expect(upstream.history == [])
  }

  @Test func aCancellationBeforeTheSubscriptionCancelsIt() {
    link.cancel()
    #expect(!link.connect(upstream))
    #expect(upstream.history == [.cancelled])
  }

  @Test func letsGoOfTheUpstream() {
    for end in [{ (link: UpstreamLink) in link.cancel() }, { $0.complete() }] {
      let link = UpstreamLink(name: "Test")
      weak var weakUpstream: RecordingSubscription?
      do {
        let upstream = RecordingSubscription()
        weakUpstream = upstream
        #expect(link.connect(upstream))
      }
      #expect(weakUpstream != nil)
      end(link)
      #expect(weakUpstream == nil)
    }
  }

  @Test func aCancellationFromWithinARequestLetsGoOfTheUpstreamAfterIt() {
    weak var weakUpstream: RecordingSubscription?
    do {
      let upstream = RecordingSubscription()
      weakUpstream = upstream
      upstream.onRequest = { [link] _ in
        link.cancel()
        #expect(weakUpstream != nil)
      }
      #expect(link.connect(upstream))
    }
    link.request(.max(1))
    #expect(weakUpstream == nil)
  }

  @Test func cancelsOnceHoweverManyThreadsCancelAndRequest() {
    for _ in 0..<200 {
      let link = UpstreamLink(name: "Test")
      let cancellations = Counter()
      let subscription = CountingSubscription(cancellations)
      onThreads([
        { _ = link.connect(subscription) }, { link.request(.max(1)) }, { link.cancel() }, { link.cancel() },
      ])
      #expect(cancellations.value == 1)
      #expect(!link.isConnected)
    }
  }

  private final class CountingSubscription: Subscription {
    let cancellations: Counter
    init(_ cancellations: Counter) { self.cancellations = cancellations }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancellations.add() }
  }

  @Test func passesOnAZeroDemandIfItIsToldTo() {
    let link = UpstreamLink(name: "Test", refusesNone: false)
    #expect(link.connect(upstream))
    link.request(.none)
    #expect(upstream.history == [.requested(.none)])
    #expect("\(link)" == "Test")
    #expect(Mirror(reflecting: link).children.isEmpty)
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let link = UpstreamLink(name: "Test")
      _ = link.connect(RecordingSubscription())
      link.request(.none)
    }
  }
}
