// Tests of replaceError.

import TestKit
import Testing
import Weir

@Suite struct ReplaceErrorTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, Never>(.max(2))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func standsInForAnError() {
    publisher.replaceError(with: 7).subscribe(recorder)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .failure(.first))
    publisher.send(completion: .failure(.first))
    #expect(publisher.send(2) == .none)
    #expect(recorder.history == [.subscription("ReplaceError"), .value(1), .value(7), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(2))])
  }

  @Test func passesOnWhatComesWithoutAnError() {
    publisher.replaceError(with: 7).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("ReplaceError"), .value(1), .completion(.finished)])
  }

  @Test func waitsForDemandThatIsLeft() {
    recorder.initialDemand = .max(1)
    publisher.replaceError(with: 7).subscribe(recorder)
    publisher.send(9)
    publisher.send(completion: .failure(.first))
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("ReplaceError"), .value(9)])
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("ReplaceError"), .value(9), .value(7), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(1))])
  }

  @Test func countsReturnedDemand() {
    recorder.initialDemand = .max(1)
    recorder.demandPerValue = { $0 < 3 ? .max(1) : .none }
    publisher.replaceError(with: 7).subscribe(recorder)
    #expect((1...3).map { publisher.send($0) } == [.max(1), .max(1), .none])
    publisher.send(completion: .failure(.first))
    #expect(recorder.values == [1, 2, 3])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 7])
  }

  @Test func trapsOnAValueNobodyAskedForAndOnNoDemand() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      publisher.replaceError(with: 7).subscribe(RecordingSubscriber())
      publisher.send(1)
    }
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher(of: Int.self, failingWith: TestFailure.self).replaceError(with: 7)
        .subscribe(RecordingSubscriber(.some(.none)))
    }
  }

  @Test func cancelsOnceAndIgnoresWhatComesThen() {
    recorder.initialDemand = nil
    publisher.replaceError(with: 7).subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .failure(.first))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("ReplaceError")])
    #expect(upstream.history == [.cancelled])
  }

  @Test func refusesSecondSubscriptionsAndIgnoresWhatComesBeforeTheFirst() {
    publisher.subscription = nil
    publisher.replaceError(with: 7).subscribe(recorder)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .failure(.first))
    #expect(recorder.history == [])
    let first = RecordingSubscription()
    let second = RecordingSubscription()
    publisher.send(subscription: first)
    publisher.send(subscription: second)
    #expect(first.history == [.requested(.max(2))])
    #expect(second.history == [.cancelled])
  }

  @Test func acceptsAnErrorFromWithinADelivery() {
    let subject = PassthroughSubject<Int, TestFailure>()
    recorder.onValue = { if $0 == 1 { subject.send(completion: .failure(.first)) } }
    subject.replaceError(with: 7).subscribe(recorder)
    subject.send(1)
    #expect(recorder.history == [.subscription("ReplaceError"), .value(1), .value(7), .completion(.finished)])
  }

  @Test func showsNothing() {
    publisher.replaceError(with: 7).subscribe(recorder)
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func areEqualIfUpstreamAndValueAre() {
    #expect(
      Publishers.ReplaceError(upstream: Just(1), output: 2) == Publishers.ReplaceError(upstream: Just(1), output: 2))
    #expect(
      Publishers.ReplaceError(upstream: Just(1), output: 2) != Publishers.ReplaceError(upstream: Just(1), output: 3))
  }

  @Test func freesItsValueAtTheEnd() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
    let recorder = RecordingSubscriber<LifetimeTracked, Never>(.unlimited)
    subject.replaceError(with: lifetimes.track()).subscribe(recorder)
    #expect(lifetimes.live == 1)
    subject.send(completion: .finished)
    #expect(lifetimes.live == 0)
  }
}
