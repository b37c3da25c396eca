// Tests of the subscriber whose type is hidden or that consists of closures.

import TestKit
import Testing
import Weir

@Suite struct AnySubscriberTests {
  private struct Plain: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    let combineIdentifier = CombineIdentifier()
    let secret = 42
    func receive(subscription: any Subscription) {}
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test func passesEverythingOn() {
    let subscriber = RecordingSubscriber(.max(3), perValue: .max(4), of: Int.self, failingWith: TestFailure.self)
    let erased = AnySubscriber(subscriber)
    let subscription = RecordingSubscription()
    erased.receive(subscription: subscription)
    #expect(erased.receive(1) == .max(4))
    erased.receive(completion: .finished)
    erased.receive(completion: .failure(.second))
    #expect(
      subscriber.history == [
        .subscription("RecordingSubscription"), .value(1), .completion(.finished), .completion(.failure(.second)),
      ])
    #expect(subscription.history == [.requested(.max(3))])
  }

  @Test func hasTheHiddenSubscribersIdentity() {
    let subscriber = RecordingSubscriber(of: Int.self, failingWith: Never.self)
    #expect(AnySubscriber(subscriber).combineIdentifier == subscriber.combineIdentifier)
    #expect(AnySubscriber(AnySubscriber(subscriber)).combineIdentifier == subscriber.combineIdentifier)
    let empty = AnySubscriber<Int, Never>()
    #expect(empty.combineIdentifier == empty.combineIdentifier)
    #expect(empty.combineIdentifier != AnySubscriber<Int, Never>().combineIdentifier)
  }

  @Test func erasingTwiceDoesNotWrapTwice() {
    let erased = AnySubscriber(AnySubscriber(RecordingSubscriber(of: Int.self, failingWith: Never.self)))
    #expect(erased.description == "RecordingSubscriber")
    #expect(String(describing: Mirror(reflecting: erased).subjectType) == "RecordingSubscriber<Int, Never>")
  }

  @Test func describesTheHiddenSubscriber() {
    let erased = AnySubscriber(RecordingSubscriber(of: Int.self, failingWith: Never.self))
    #expect(erased.description == "RecordingSubscriber")
    #expect(erased.playgroundDescription as? String == "RecordingSubscriber")
    let subject = AnySubscriber(PassthroughSubject<Int, Never>())
    #expect(subject.description == "Subject")
    #expect(subject.playgroundDescription as? String == "Subject")
    #expect(!Mirror(reflecting: subject).children.isEmpty)
  }

  @Test func describesAPlainSubscriberByItsType() {
    let erased = AnySubscriber(Plain())
    #expect(erased.description == "Plain")
    #expect(erased.playgroundDescription as? String == "Plain")
    #expect(erased.customMirror.children.isEmpty)
    #expect(erased.customMirror.subjectType is Plain.Type)
  }

  @Test func withoutClosuresItAsksForNothing() {
    let erased = AnySubscriber<Int, Never>()
    let subscription = RecordingSubscription()
    erased.receive(subscription: subscription)
    #expect(erased.receive(1) == .none)
    erased.receive(completion: .finished)
    #expect(subscription.history == [])
    #expect(erased.description == "Anonymous AnySubscriber")
    #expect(erased.playgroundDescription as? String == "Anonymous AnySubscriber")
    #expect(erased.customMirror.subjectType is String.Type)
    #expect(erased.customMirror.children.isEmpty)
  }

  @Test func callsItsClosures() {
    var calls: [String] = []
    let erased = AnySubscriber<Int, Never>(
      receiveSubscription: {
        calls.append("\($0)")
        $0.request(.max(2))
      },
      receiveValue: {
        calls.append("value \($0)")
        return .max($0)
      },
      receiveCompletion: { calls.append("\($0)") })
    let subscription = RecordingSubscription("upstream")
    erased.receive(subscription: subscription)
    #expect(erased.receive(3) == .max(3))
    erased.receive(completion: .finished)
    #expect(calls == ["upstream", "value 3", "finished"])
    #expect(subscription.history == [.requested(.max(2))])
  }

  @Test func feedsASubjectThatItDoesNotKeepAlive() {
    let recorder = RecordingSubscriber(.unlimited, of: Int.self, failingWith: Never.self)
    let subscription = RecordingSubscription()
    weak var weakSubject: PassthroughSubject<Int, Never>?
    let erased: AnySubscriber<Int, Never>
    do {
      let subject = PassthroughSubject<Int, Never>()
      weakSubject = subject
      erased = AnySubscriber(subject)
      subject.subscribe(recorder)
      erased.receive(subscription: subscription)
      #expect(erased.receive(5) == .none)
      erased.receive(completion: .finished)
      recorder.forgetSubscriptions()
    }
    #expect(weakSubject == nil)
    #expect(erased.receive(6) == .none)
    #expect(recorder.history == [.subscription("PassthroughSubject"), .value(5), .completion(.finished)])
    #expect(subscription.history == [.requested(.unlimited)])
  }
}
