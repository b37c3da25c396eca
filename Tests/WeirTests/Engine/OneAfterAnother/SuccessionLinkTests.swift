// Tests of the subscription that follows one upstream after another: its life,
// and where demand goes at each point of it.

import TestKit
import Testing

@testable import Weir

@Suite struct SuccessionLinkTests {
  private let first = RecordingSubscription("first")
  private let last = RecordingSubscription("last")
  private let lifetimes = Lifetimes()

  private func link(
    _ kept: LifetimeTracked? = nil, refusesNone: Bool = false
  ) -> SuccessionLink<LifetimeTracked?, Int> {
    SuccessionLink(name: "Test", refusesNone: refusesNone, kept: kept)
  }

  @Test func aLifeWithTwoUpstreams() {
    let link = link()
    #expect(link.isAt(.awaiting))
    #expect(!link.take())
    #expect(link.connect(first))
    link.request(.max(3))
    #expect(link.take())
    #expect(link.giveBack(.max(4)) == .max(4))
    #expect(link.beginSuccession() != nil)
    #expect(link.isAt(.between))
    #expect(!link.take())
    link.request(.max(10))
    link.connectLast(last)
    #expect(link.isAt(.last))
    link.request(.max(1))
    #expect(link.complete(at: .last))
    link.request(.max(2))
    #expect(first.history == [.requested(.max(3))])
    #expect(last.history == [.requested(.max(16)), .requested(.max(1))])
    #expect(link.description == "Test")
  }

  @Test func eachStepIsTakenOnce() {
    let link = link()
    #expect(link.beginSuccession() == nil)
    #expect(!link.complete(at: .last))
    #expect(link.connect(first))
    #expect(!link.connect(last))
    #expect(link.beginSuccession() != nil)
    #expect(link.beginSuccession() == nil)
    #expect(link.complete(at: .between))
    #expect(!link.complete(at: .between))
    #expect(!link.complete(at: nil))
    link.connectLast(last)
    link.cancel()
    #expect(first.history == [])
    #expect(last.history == [.cancelled, .cancelled])
  }

  @Test func anEndWithinTheOpeningIsLeftToWhoOpens() {
    let link = link()
    _ = link.connect(first)
    _ = link.beginSuccession()
    let end = link.openLast {
      link.connectLast(last)
      #expect(!link.completeLast(7))
      #expect(!link.completeLast(8))
      #expect(link.isAt(.ending))
    }
    #expect(end == 7)
    #expect(link.isAt(.over))
    link.cancel()
    #expect(last.history == [])
  }

  @Test func anEndAfterTheOpeningIsPassedOnAtOnce() {
    let link = link()
    _ = link.connect(first)
    _ = link.beginSuccession()
    #expect(link.openLast { link.connectLast(last) } == nil)
    #expect(link.completeLast(7))
    #expect(!link.completeLast(7))
  }

  @Test func aCancellationAfterTheEndWithinTheOpeningWins() {
    let link = link()
    _ = link.connect(first)
    _ = link.beginSuccession()
    let end = link.openLast {
      link.connectLast(last)
      #expect(!link.completeLast(7))
      link.cancel()
    }
    #expect(end == nil)
    #expect(last.history == [])
  }

  @Test func whatIsReturnedTooLateIsAskedOfTheLastUpstream() {
    let link = link()
    _ = link.connect(first)
    _ = link.beginSuccession()
    #expect(link.giveBack(.max(2)) == .max(2))
    link.connectLast(last)
    #expect(link.giveBack(.max(3)) == .none)
    #expect(last.history == [.requested(.max(2)), .requested(.max(3))])
    link.cancel()
    #expect(link.giveBack(.max(4)) == .none)
    #expect(last.history == [.requested(.max(2)), .requested(.max(3)), .cancelled])
  }

  @Test func cancellingFreesThePlanAndTheSubscription() {
    weak var freed: RecordingSubscription?
    let link: SuccessionLink<LifetimeTracked?, Int>
    do {
      let subscription = RecordingSubscription()
      freed = subscription
      link = self.link(lifetimes.track())
      _ = link.connect(subscription)
    }
    #expect(lifetimes.live == 1)
    #expect(freed != nil)
    link.cancel()
    #expect(lifetimes.live == 0)
    #expect(freed == nil)
  }

  @Test func whatIsFreedMayComeBack() {
    final class Talkative: Subscription {
      let link: SuccessionLink<LifetimeTracked?, Int>
      init(_ link: SuccessionLink<LifetimeTracked?, Int>) { self.link = link }
      func request(_ demand: Subscribers.Demand) {}
      func cancel() { link.request(.max(1)) }
      deinit {
        link.request(.max(1))
        link.cancel()
      }
    }
    let ended = link(lifetimes.track())
    _ = ended.connect(Talkative(ended))
    ended.cancel()
    let handedOver = link(lifetimes.track())
    _ = handedOver.connect(Talkative(handedOver))
    _ = handedOver.beginSuccession()
    #expect(handedOver.isAt(.over))
    #expect(lifetimes.live == 0)
  }

  @Test func aDemandForNothingIsPassedOnOrRefused() async {
    let link = link()
    _ = link.connect(first)
    link.request(.none)
    #expect(first.history == [.requested(.none)])
    await #expect(processExitsWith: .failure) {
      SuccessionLink<Int, Int>(name: "Test", refusesNone: true, kept: 1).request(.none)
    }
  }
}
