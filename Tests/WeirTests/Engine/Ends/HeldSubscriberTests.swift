// Tests of how the engine holds a subscriber.

import TestKit
import Testing

@testable import Weir

@Suite struct HeldSubscriberTests {
  /// Holds a subscriber, and lets go of it again.
  private func look<S: Subscriber>(at subscriber: S) -> (isBoxed: Bool, hasClosures: Bool) {
    let held = HeldSubscriber(subscriber)
    defer {
      held.target.release()
      held.closures?.release()
    }
    return (held.target.takeUnretainedValue() is SubscriberBox<S>, held.closures != nil)
  }

  private func makeSink() -> Subscribers.Sink<Int, TestFailure> {
    Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  }

  @Test func aSinkIsHeldByItselfWithItsClosures() {
    let (isBoxed, hasClosures) = look(at: makeSink())
    #expect(!isBoxed)
    #expect(hasClosures)
  }

  @Test func aSinkThatHasHadAStreamIsHeldByItselfWithoutClosures() {
    let sink = makeSink()
    sink.receive(subscription: RecordingSubscription())
    let (isBoxed, hasClosures) = look(at: sink)
    #expect(!isBoxed)
    #expect(!hasClosures)
  }

  @Test func anyOtherSubscriberIsBoxed() {
    let (isBoxed, hasClosures) = look(at: RecordingSubscriber<Int, TestFailure>(.unlimited))
    #expect(isBoxed)
    #expect(!hasClosures)
  }

  @Test func theTypeSaysWhichWayItIs() {
    #expect(HeldSubscriber<Subscribers.Sink<Int, TestFailure>>.isDirect)
    #expect(!HeldSubscriber<RecordingSubscriber<Int, TestFailure>>.isDirect)
    #expect(!HeldSubscriber<AnySubscriber<Int, TestFailure>>.isDirect)
  }

  @Test func nothingIsKeptOnceTheReferencesAreReleased() {
    let lifetimes = Lifetimes()
    do {
      let inValue = lifetimes.track()
      let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in inValue.touch() })
      #expect(look(at: sink).hasClosures)
    }
    #expect(lifetimes.live == 0)
  }
}
