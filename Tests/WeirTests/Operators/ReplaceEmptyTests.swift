// Tests of replaceEmpty.

import TestKit
import Testing
import Weir

@Suite struct ReplaceEmptyTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(42), perValue: .max(4))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func asksForEverythingBesidesWhatIsAskedFor() {
    publisher.replaceEmpty(with: 7).subscribe(recorder)
    recorder.request(.max(5))
    #expect(upstream.history == [.requested(.max(42)), .requested(.unlimited), .requested(.max(5))])
    #expect([1, 2].map { publisher.send($0) } == [.max(4), .max(4)])
    publisher.send(completion: .finished)
    #expect(publisher.send(3) == .none)
    publisher.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("ReplaceEmpty"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func standsInForAnEmptyStream() {
    publisher.replaceEmpty(with: 7).subscribe(recorder)
    publisher.send(completion: .finished)
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("ReplaceEmpty"), .value(7), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(42)), .requested(.unlimited)])
  }

  @Test func waitsUntilItIsAskedFor() {
    recorder.initialDemand = nil
    publisher.replaceEmpty(with: 7).subscribe(recorder)
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("ReplaceEmpty")])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("ReplaceEmpty"), .value(7), .completion(.finished)])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func passesAnErrorOnAtOnce() {
    recorder.initialDemand = nil
    publisher.replaceEmpty(with: 7).subscribe(recorder)
    publisher.send(completion: .failure(.second))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("ReplaceEmpty"), .completion(.failure(.second))])
  }

  @Test func cancelsOnceAndDropsWhatWaits() {
    recorder.initialDemand = nil
    publisher.replaceEmpty(with: 7).subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("ReplaceEmpty")])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func refusesSecondSubscriptionsAndIgnoresWhatComesBeforeTheFirst() {
    publisher.subscription = nil
    publisher.replaceEmpty(with: 7).subscribe(recorder)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    #expect(recorder.history == [])
    let first = RecordingSubscription()
    let second = RecordingSubscription()
    publisher.send(subscription: first)
    publisher.send(subscription: second)
    #expect(first.history == [.requested(.max(42)), .requested(.unlimited)])
    #expect(second.history == [.cancelled])
  }

  @Test func trapsOnNoDemand() async {
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher(of: Int.self, failingWith: Never.self).replaceEmpty(with: 7)
        .subscribe(RecordingSubscriber(.some(.none)))
    }
  }

  @Test func showsNothing() {
    publisher.replaceEmpty(with: 7).subscribe(recorder)
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func areEqualIfUpstreamAndValueAre() {
    #expect(
      Publishers.ReplaceEmpty(upstream: Just(1), output: 2) == Publishers.ReplaceEmpty(upstream: Just(1), output: 2))
    #expect(
      Publishers.ReplaceEmpty(upstream: Just(1), output: 2) != Publishers.ReplaceEmpty(upstream: Just(1), output: 3))
  }

  @Test func freesItsValueAtTheEnd() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
    let recorder = RecordingSubscriber<LifetimeTracked, TestFailure>()
    subject.replaceEmpty(with: lifetimes.track()).subscribe(recorder)
    #expect(lifetimes.live == 1)
    subject.send(completion: .finished)
    #expect(lifetimes.live == 1)
    recorder.cancel()
    #expect(lifetimes.live == 0)
  }
}
