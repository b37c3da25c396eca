// Tests of the engine of retry: attempts, and who makes them.

import TestKit
import Testing

@testable import Weir

@Suite struct RetrySubscriberTests {
  private typealias Upstream = ScriptedPublisher<Int, TestFailure>

  private let upstream = Upstream()

  private func link(attempts: Int?) -> SuccessionLink<RetryState<Upstream>, Never> {
    SuccessionLink(name: "Test", refusesNone: false, kept: RetryState(upstream: upstream, attempts: attempts))
  }

  private func name(_ decision: AfterFailure<Upstream>) -> String {
    switch decision {
    case .subscribe: "subscribe"
    case .leave: "leave"
    case .end: "end"
    }
  }

  @Test func oneAtATimeSubscribesAndLooksAgain() {
    let link = link(attempts: 2)
    #expect(link.reconnect(RecordingSubscription())?.isFirst == true)
    #expect(name(link.beginRetry()) == "subscribe")
    #expect(link.reconnect(RecordingSubscription())?.isFirst == false)
    #expect(name(link.beginRetry()) == "leave")
    #expect(link.mustRetry())
    #expect(!link.mustRetry())
    #expect(name(link.beginRetry()) == "end")
    #expect(name(link.beginRetry()) == "leave")
    #expect(!link.mustRetry())
    #expect(link.isAt(.over))
  }

  @Test func whatIsLeftIsCarriedToTheNextConnection() {
    let link = link(attempts: nil)
    let subscriptions = [RecordingSubscription(), RecordingSubscription()]
    #expect(link.reconnect(subscriptions[0])?.carried == Subscribers.Demand.none)
    #expect(link.reconnect(subscriptions[1]) == nil)
    link.request(.max(3))
    #expect(link.take())
    _ = link.beginRetry()
    link.request(.max(5))
    #expect(link.reconnect(subscriptions[1])?.carried == .max(7))
    link.request(.max(1))
    #expect(subscriptions[0].history == [.requested(.max(3))])
    #expect(subscriptions[1].history == [.requested(.max(1))])
  }

  @Test func aFailureThatComesWhileSubscribingOnAnotherThreadIsLeftToTheSubscriber() {
    final class Contended: Publisher {
      typealias Output = Int
      typealias Failure = TestFailure
      let attempts = Counter()

      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        subscriber.receive(subscription: RecordingSubscription())
        guard attempts.add() < 20 else { return }
        onThreads(1) { _ in subscriber.receive(completion: .failure(.first)) }
      }
    }
    let upstream = Contended()
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(1))
    Publishers.Retry(upstream: upstream, retries: nil).subscribe(recorder)
    #expect(upstream.attempts.value == 20)
    #expect(recorder.history == [.subscription("Retry")])
  }

  @Test func cancellingFreesTheUpstreamWhileItWaits() {
    weak var freed: Upstream?
    let link: SuccessionLink<RetryState<Upstream>, Never>
    do {
      let upstream = Upstream()
      freed = upstream
      link = SuccessionLink(name: "Test", refusesNone: false, kept: RetryState(upstream: upstream, attempts: 1))
    }
    _ = link.reconnect(RecordingSubscription())
    #expect(freed != nil)
    link.cancel()
    #expect(freed == nil)
    #expect(link.reconnect(RecordingSubscription()) == nil)
  }
}
