// Tests of the place where a subscriber keeps its upstream's subscription.

import TestKit
import Testing

@testable import Weir

@Suite struct UpstreamSlotTests {
  private final class Owner {
    let slot = UpstreamSlot()

    func connect(_ subscription: any Subscription) -> Link? { slot.connect(subscription) }
    func disconnect(evenBefore: Bool) -> UpstreamSlot.Ended? { slot.disconnect(evenBefore: evenBefore) }
    func complete() -> Bool { slot.complete() }
  }

  private let owner = Owner()
  private let upstream = RecordingSubscription()

  /// One of Weir's subscriptions.
  private final class OwnLink: Link {
    let log = Shared([String]())

    init() {
      let log = log
      super.init(
        onRequest: { _, demand in log.value.append("\(demand)") }, onCancel: { _ in log.value.append("cancel") })
    }
  }

  @Test func takesAnyKindOfSubscription() {
    let link = owner.connect(upstream)
    #expect(link is ForeignLink)
    let kept = owner.slot.subscription
    #expect(kept as AnyObject === upstream)
    link?.request(.max(2))
    owner.slot.request(.max(3))
    #expect(upstream.history == [.requested(.max(2)), .requested(.max(3))])
  }

  /// It came in a new link to each subscriber.
  @Test func whatDoesNothingIsOneLinkForAll() {
    let (first, second) = (Owner(), Owner())
    let link = first.connect(Subscriptions.empty)
    #expect(link?.isForeign == true && "\(link!)" == "Empty")
    #expect(second.connect(Subscriptions.empty) === link)
  }

  @Test func keepsALinkAsItIs() {
    let link = OwnLink()
    #expect(owner.connect(link as any Subscription) === link)
    owner.slot.request(.max(1))
    #expect(owner.disconnect(evenBefore: false) == .own)
    owner.slot.request(.max(1))
    #expect(link.log.value == ["max(1)", "cancel"])
    let kept = owner.slot.subscription
    #expect(kept == nil)
  }

  @Test func takesOneOnly() {
    let second = RecordingSubscription()
    #expect(owner.connect(upstream) != nil)
    #expect(owner.connect(second) == nil)
    #expect(second.history == [.cancelled])
    #expect(upstream.history == [])
  }

  @Test(arguments: [false, true])
  func anEndBeforeTheSubscriptionCountsIfItIsToldTo(countsEarly: Bool) {
    #expect(owner.disconnect(evenBefore: countsEarly) == (countsEarly ? .early : nil))
    #expect((owner.connect(upstream) == nil) == countsEarly)
    #expect(upstream.history == (countsEarly ? [.cancelled] : []))
  }

  @Test(arguments: [false, true])
  func anEndWhileTheSubscriptionIsBeingStoredCounts(countsEarly: Bool) {
    let isStoring = owner.slot.state.beginActivation()
    #expect(isStoring)
    #expect(owner.disconnect(evenBefore: countsEarly) == .early)
    #expect(owner.disconnect(evenBefore: countsEarly) == nil)
    let isStored = owner.slot.state.endActivation()
    #expect(!isStored)
  }

  @Test func letsGoOfTheSubscriptionHoweverItEnds() {
    for end in [{ (owner: Owner) in owner.disconnect(evenBefore: true) != nil }, { $0.complete() }] {
      let owner = Owner()
      weak var weakUpstream: RecordingSubscription?
      do {
        let upstream = RecordingSubscription()
        weakUpstream = upstream
        _ = owner.connect(upstream)
      }
      #expect(weakUpstream != nil)
      let ended = [end(owner), end(owner)]
      #expect(ended == [true, false])
      #expect(weakUpstream == nil)
    }
  }

  @Test func letsGoWhenItIsFreed() {
    weak var weakUpstream: RecordingSubscription?
    do {
      let owner = Owner()
      let upstream = RecordingSubscription()
      weakUpstream = upstream
      _ = owner.connect(upstream)
    }
    #expect(weakUpstream == nil)
  }

  @Test func aUserKeepsTheSubscriptionUntilItIsDone() {
    _ = owner.connect(upstream)
    let isUser = owner.slot.state.beginUse()
    #expect(isUser)
    #expect(owner.complete())
    let kept = owner.slot.subscription
    #expect(kept == nil)
    owner.slot.withLink { $0.request(.max(7)) }
    let isLast = owner.slot.endUse()
    #expect(isLast)
    #expect(upstream.history == [.requested(.max(7))])
  }

  @Test func aStructMayBeASubscription() {
    struct Small: Subscription {
      let log: Shared<[String]>
      let combineIdentifier = CombineIdentifier()
      func request(_ demand: Subscribers.Demand) { log.value.append("request") }
      func cancel() { log.value.append("cancel") }
    }
    let log = Shared([String]())
    owner.connect(Small(log: log))?.request(.unlimited)
    #expect(owner.disconnect(evenBefore: true) == .foreign)
    #expect(log.value == ["request", "cancel"])
  }
}
