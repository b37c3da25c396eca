// Tests of the publisher whose type is hidden.

import TestKit
import Testing
import Weir

@Suite struct AnyPublisherTests {
  @Test func passesEverythingOn() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let erased = AnyPublisher(publisher)
    let subscriber = RecordingSubscriber(.max(2), perValue: .max(5), of: Int.self, failingWith: TestFailure.self)
    erased.subscribe(subscriber)
    #expect(publisher.subscription?.history == [.requested(.max(2))])
    #expect(publisher.send(1) == .max(5))
    publisher.send(completion: .failure(.first))
    #expect(
      subscriber.history == [.subscription("RecordingSubscription"), .value(1), .completion(.failure(.first))])
  }

  @Test func keepsTheSubscribersIdentity() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let subscriber = RecordingSubscriber(of: Int.self, failingWith: Never.self)
    publisher.eraseToAnyPublisher().subscribe(subscriber)
    #expect(publisher.subscriber?.combineIdentifier == subscriber.combineIdentifier)
  }

  @Test func subscribesToThePublisherOncePerSubscriber() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let erased = publisher.eraseToAnyPublisher()
    #expect(publisher.subscriber == nil)
    let first = RecordingSubscriber(.max(1), of: Int.self, failingWith: Never.self)
    let second = RecordingSubscriber(.max(2), of: Int.self, failingWith: Never.self)
    erased.subscribe(first)
    erased.subscribe(second)
    #expect(publisher.subscription?.history == [.requested(.max(1)), .requested(.max(2))])
  }

  /// A publisher that has to be asked for its identity through the erasure would see the second layer.
  @Test func erasingTwiceDoesNotWrapTwice() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, Never>()
    let once = subject.eraseToAnyPublisher()
    let twice = AnyPublisher(once.eraseToAnyPublisher())
    #expect(String(describing: type(of: twice)) == String(describing: type(of: once)))
    let subscriber = RecordingSubscriber(.unlimited, of: LifetimeTracked.self, failingWith: Never.self)
    twice.subscribe(subscriber)
    subject.send(lifetimes.track(4))
    #expect(subscriber.history == [.subscription("PassthroughSubject"), .value(lifetimes.track(4))])
  }

  @Test func describesItself() {
    let erased = Just(1).eraseToAnyPublisher()
    #expect(erased.description == "AnyPublisher")
    #expect(erased.playgroundDescription as? String == "AnyPublisher")
  }

  @Test func keepsThePublisherAlive() {
    let lifetimes = Lifetimes()
    do {
      var erased: AnyPublisher<Int, Never>?
      do {
        let tracked = lifetimes.track()
        erased = Just(1).eraseToAnyPublisher().map { number in
          tracked.touch()
          return number
        }.eraseToAnyPublisher()
      }
      #expect(lifetimes.live == 1)
      withExtendedLifetime(erased) {}
      erased = nil
    }
    #expect(lifetimes.live == 0)
  }
}
