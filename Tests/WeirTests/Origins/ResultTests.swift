// Tests of the publisher of a value or an error.

import TestKit
import Testing
import Weir

@Suite struct ResultTests {
  typealias Outcome = Result<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func publishesAValueOnDemandThenFinishes() {
    let recorder = Recorder()
    Outcome.success(42).publisher.subscribe(recorder)
    #expect(recorder.history == [.subscription("Once")])
    recorder.request(.max(100))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Once"), .value(42), .completion(.finished)])
  }

  @Test func failsAtOnceWithoutDemand() {
    let recorder = Recorder()
    recorder.onSubscription = { $0.cancel() }
    Outcome.Publisher(.first).subscribe(recorder)
    #expect(recorder.history == [.subscription("Empty"), .completion(.failure(.first))])
  }

  @Test func requestsFromWithinTheValueDoNothing() {
    let recorder = Recorder(.unlimited, perValue: .max(3))
    recorder.onValue = { _ in recorder.request(.unlimited) }
    Outcome.Publisher(42).subscribe(recorder)
    #expect(recorder.history == [.subscription("Once"), .value(42), .completion(.finished)])
  }

  @Test func cancellingBeforeTheRequestDeliversNothing() {
    let recorder = Recorder(.unlimited)
    recorder.onSubscription = { $0.cancel() }
    Outcome.Publisher(42).subscribe(recorder)
    #expect(recorder.history == [.subscription("Once")])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      Outcome.Publisher(42).subscribe(Recorder(.some(.none)))
    }
  }

  @Test func everySubscriberGetsTheSame() {
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    let publisher = Outcome.success(42).publisher
    publisher.subscribe(first)
    publisher.subscribe(second)
    #expect(first.values == [42])
    #expect(second.values == [42])
  }

  @Test func describesItsSubscription() {
    let recorder = Recorder()
    Outcome.Publisher(42).subscribe(recorder)
    let children = Array(Mirror(reflecting: recorder.subscriptions[0]).children)
    #expect(children.map(\.label) == [nil])
    #expect(children.first?.value as? Int == 42)
  }

  @Test func isEqualToOneWithAnEqualResult() {
    #expect(Outcome.Publisher(1) == Outcome.success(1).publisher)
    #expect(Outcome.Publisher(1) != Outcome.Publisher(2))
    #expect(Outcome.Publisher(.first) != Outcome.Publisher(.second))
    #expect(Outcome.Publisher(.failure(.first)).result == .failure(.first))
  }

  @Test func freesItsSubscriberWhenCancelled() {
    let lifetimes = Lifetimes()
    do {
      let recorder = Recorder()
      let tracked = lifetimes.track()
      recorder.onValue = { _ in tracked.touch() }
      Outcome.Publisher(42).subscribe(recorder)
      recorder.cancel()
      recorder.forgetSubscriptions()
    }
    #expect(lifetimes.live == 0)
  }
}
