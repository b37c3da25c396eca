// Tests of dropFirst.

import TestKit
import Testing
import Weir

@Suite struct DropTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(42), perValue: .max(3))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func asksForTheDroppedValuesWithTheFirstRequest() {
    publisher.dropFirst(2).subscribe(recorder)
    #expect(upstream.history == [.requested(.max(44))])
    #expect((1...4).map { publisher.send($0) } == [.none, .none, .max(3), .max(3)])
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("Drop"), .value(3), .value(4), .completion(.finished)])
    recorder.request(.max(1))
    #expect(upstream.history == [.requested(.max(44))])
  }

  @Test func dropsOneUnlessToldOtherwise() {
    #expect(publisher.dropFirst().count == 1)
  }

  @Test func asksForNothingByItselfIfItDropsNothing() {
    recorder.initialDemand = nil
    publisher.dropFirst(0).subscribe(recorder)
    #expect(upstream.history == [])
    recorder.request(.max(5))
    recorder.request(.unlimited)
    #expect(upstream.history == [.requested(.max(5)), .requested(.unlimited)])
    #expect(publisher.send(1) == .max(3))
    #expect(recorder.values == [1])
  }

  @Test func givesTheSubscriptionBeforeItHasOne() {
    publisher.subscription = nil
    publisher.dropFirst(4).subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Drop")])
    let late = RecordingSubscription()
    publisher.send(subscription: late)
    #expect(late.history == [.requested(.max(47))])
  }

  @Test func passesEverythingOnBlindly() {
    publisher.dropFirst(0).subscribe(recorder)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    #expect(publisher.send(1) == .max(3))
    #expect(
      recorder.history == [
        .subscription("Drop"), .completion(.finished), .completion(.failure(.first)), .value(1),
      ])
  }

  @Test func takesAFurtherSubscriptionOnlyAfterACompletion() {
    recorder.initialDemand = nil
    publisher.dropFirst(3).subscribe(recorder)
    let second = RecordingSubscription()
    publisher.send(subscription: second)
    #expect(second.history == [.cancelled])
    publisher.send(1)
    publisher.send(completion: .finished)
    recorder.request(.max(100))
    publisher.send(subscription: second)
    #expect(second.history == [.cancelled, .requested(.max(102))])
    #expect(upstream.history == [.requested(.max(3))])
  }

  @Test func cancelsOnce() {
    recorder.initialDemand = nil
    publisher.dropFirst().subscribe(recorder)
    recorder.cancel()
    recorder.request(.unlimited)
    recorder.cancel()
    #expect(upstream.history == [.requested(.max(1)), .cancelled])
  }

  /// Combine forgets this cancellation, and goes on without a subscriber.
  @Test func aCancellationBeforeTheUpstreamsSubscriptionHolds() {
    recorder.onSubscription = { $0.cancel() }
    publisher.dropFirst().subscribe(recorder)
    #expect(upstream.history == [.cancelled])
  }

  @Test func trapsOnANegativeNumberAndOnNoDemand() async {
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher(of: Int.self, failingWith: Never.self).dropFirst(-1).subscribe(RecordingSubscriber())
    }
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher(of: Int.self, failingWith: Never.self).dropFirst().subscribe(RecordingSubscriber(.some(.none)))
    }
  }

  @Test func showsNothing() {
    publisher.dropFirst().subscribe(recorder)
    #expect(publisher.subscriber?.description == "Drop")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func areEqualIfUpstreamAndNumberAre() {
    #expect(Publishers.Drop(upstream: Just(1), count: 2) == Publishers.Drop(upstream: Just(1), count: 2))
    #expect(Publishers.Drop(upstream: Just(1), count: 2) != Publishers.Drop(upstream: Just(1), count: 3))
  }

  @Test func freesTheDownstreamAtTheEndAndWhenCancelled() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    func sink() -> AnyCancellable {
      let tracked = lifetimes.track()
      return subject.dropFirst().sink(receiveCompletion: { _ in tracked.touch() }, receiveValue: { _ in })
    }
    let cancelled = sink()
    #expect(lifetimes.live == 1)
    cancelled.cancel()
    #expect(lifetimes.live == 0)
    let finished = sink()
    subject.send(completion: .finished)
    #expect(lifetimes.live == 0)
    withExtendedLifetime(finished) {}
  }

  @Test func dropsItsNumberOfValues() {
    let recorder = RecordingSubscriber<Int, Never>(perValue: .max(1))
    let subscriber = DropSubscriber(1, to: recorder)
    #expect([1, 2].map { subscriber.receive($0) } == [.none, .max(1)])
    #expect(recorder.values == [2])
    #expect(subscriber.description == "Drop")
  }
}
