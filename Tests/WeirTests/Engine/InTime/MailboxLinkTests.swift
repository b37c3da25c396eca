// Tests of what a mailbox holds, and until when.

import TestKit
import Testing

@testable import Weir

@Suite struct MailboxLinkTests {
  typealias Mailbox = HopLink<ImmediateHopPolicy<ManualScheduler>, AnySubscriber<LifetimeTracked, TestFailure>>

  private let lifetimes = Lifetimes()
  private let scheduler = ManualScheduler()

  /// A mailbox whose downstream and upstream are tracked: two lives.
  private func makeMailbox(
    onValue: @escaping (LifetimeTracked) -> Void = { _ in },
    onSubscription: @escaping (any Subscription) -> Void = { $0.request(.unlimited) }
  ) -> Mailbox {
    let inDownstream = lifetimes.track()
    let downstream = AnySubscriber<LifetimeTracked, TestFailure>(
      receiveSubscription: onSubscription,
      receiveValue: {
        inDownstream.touch()
        onValue($0)
        return .none
      })
    let mailbox = Mailbox(
      ImmediateHopPolicy(scheduler: scheduler, options: nil), downstream: downstream, name: "Mailbox")
    let inUpstream = lifetimes.track()
    let upstream = RecordingSubscription()
    upstream.onRequest = { _ in inUpstream.touch() }
    mailbox.receive(subscription: upstream)
    return mailbox
  }

  @Test func cancellingAnIdleMailboxFreesBothSidesAtOnce() {
    let mailbox = makeMailbox()
    #expect(lifetimes.live == 2)
    mailbox.cancel()
    #expect(lifetimes.live == 0)
  }

  @Test func cancellingWithAJobInFlightFreesEverythingWhenItRuns() {
    let mailbox = makeMailbox()
    _ = mailbox.receive(lifetimes.track())
    _ = mailbox.receive(lifetimes.track())
    mailbox.cancel()
    scheduler.run()
    #expect(lifetimes.live == 0)
    withExtendedLifetime(mailbox) {}
  }

  @Test func cancellingDuringAValueFreesEverythingWhenTheValueIsOver() {
    var mailbox: Mailbox?
    mailbox = makeMailbox { _ in mailbox?.cancel() }
    for number in 0..<3 { _ = mailbox?.receive(lifetimes.track(number)) }
    scheduler.run()
    #expect(lifetimes.live == 0)
    mailbox = nil
  }

  @Test func cancellingWithinTheSubscriptionFreesBothSidesWhenThatIsOver() {
    let mailbox = makeMailbox(onSubscription: { $0.cancel() })
    #expect(lifetimes.live == 0)
    withExtendedLifetime(mailbox) {}
  }

  @Test func aCompletionFreesBothSidesOnceItIsDelivered() {
    let mailbox = makeMailbox()
    _ = mailbox.receive(lifetimes.track())
    mailbox.receive(completion: .failure(.first))
    #expect(lifetimes.live == 3)
    scheduler.run()
    #expect(lifetimes.live == 0)
    withExtendedLifetime(mailbox) {}
  }

  @Test func valuesLeaveTheMailboxAsTheyAreDelivered() {
    var live: [Int] = []
    let mailbox = makeMailbox { [lifetimes] _ in live.append(lifetimes.live) }
    for number in 0..<3 { _ = mailbox.receive(lifetimes.track(number)) }
    scheduler.run()
    #expect(live == [5, 4, 3])
    #expect(lifetimes.live == 2)
    mailbox.cancel()
    #expect(lifetimes.live == 0)
  }

  @Test func hasAName() {
    #expect("\(makeMailbox())" == "Mailbox")
  }
}
