// Tests of mapError.

import TestKit
import Testing
import Weir

@Suite struct MapErrorTests {
  private struct Wrapped: Error, Equatable { let cause: TestFailure }

  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, Wrapped>(.max(3), perValue: .max(2))

  @Test func convertsTheErrorAndNothingElse() {
    publisher.mapError(Wrapped.init).subscribe(recorder)
    #expect(publisher.send(1) == .max(2))
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.second))
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value(1), .completion(.finished),
        .completion(.failure(Wrapped(cause: .second))),
      ])
    #expect(publisher.subscription?.history == [.requested(.max(3))])
  }

  @Test(arguments: [true, false]) func canBeMadeByHand(isLabelled: Bool) {
    let made =
      isLabelled
      ? Publishers.MapError(upstream: publisher, transform: Wrapped.init)
      : Publishers.MapError(upstream: publisher, Wrapped.init)
    made.subscribe(recorder)
    #expect(publisher.subscriber?.description == "MapError")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func freesItsClosureAtTheEnd() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    func subscribe() {
      let tracked = lifetimes.track()
      subject.mapError { failure in
        tracked.touch()
        return Wrapped(cause: failure)
      }.subscribe(recorder)
    }
    subscribe()
    #expect(lifetimes.live == 1)
    subject.send(completion: .failure(.first))
    #expect(lifetimes.live == 0)
  }
}
