// Tests of the publisher of a promise's result.

import TestKit
import Testing
import Weir

@Suite struct FutureTests {
  typealias Promised = Future<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func promised() -> (future: Promised, promise: Promised.Promise) {
    var promise: Promised.Promise?
    let future = Promised { promise = $0 }
    return (future, promise!)
  }

  @Test func beginsAtOnceAndOnce() {
    var begun = 0
    let future = Promised { _ in begun += 1 }
    #expect(begun == 1)
    future.subscribe(Recorder(.unlimited))
    #expect(begun == 1)
  }

  @Test func publishesTheValueThenFinishes() {
    let (future, promise) = promised()
    let recorder = Recorder(.unlimited)
    future.subscribe(recorder)
    #expect(recorder.history == [.subscription("Future")])
    promise(.success(42))
    promise(.success(41))
    promise(.failure(.first))
    #expect(recorder.history == [.subscription("Future"), .value(42), .completion(.finished)])
  }

  @Test func aValueWaitsForDemand() {
    let (future, promise) = promised()
    let recorder = Recorder(perValue: .max(7))
    future.subscribe(recorder)
    promise(.success(42))
    #expect(recorder.history == [.subscription("Future")])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Future"), .value(42), .completion(.finished)])
  }

  @Test func anErrorDoesNotWaitForDemand() {
    let (future, promise) = promised()
    let recorder = Recorder()
    future.subscribe(recorder)
    promise(.failure(.second))
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Future"), .completion(.failure(.second))])
  }

  @Test func lateSubscribersGetTheSameResult() {
    let (future, promise) = promised()
    promise(.success(42))
    for _ in 0..<2 {
      let recorder = Recorder(.unlimited)
      future.subscribe(recorder)
      #expect(recorder.history == [.subscription("Future"), .value(42), .completion(.finished)])
    }
    let (failed, failing) = promised()
    failing(.failure(.first))
    let recorder = Recorder()
    failed.subscribe(recorder)
    #expect(recorder.history == [.subscription("Future"), .completion(.failure(.first))])
  }

  @Test func subscribersAreServedInTheOrderOfTheirSubscription() {
    let (future, promise) = promised()
    var order: [Int] = []
    let recorders = (0..<40).map { number -> Recorder in
      let recorder = Recorder(.unlimited)
      recorder.onValue = { _ in order.append(number) }
      future.subscribe(recorder)
      return recorder
    }
    for number in stride(from: 0, to: 40, by: 3) { recorders[number].cancel() }
    for number in stride(from: 0, to: 40, by: 4) { recorders[number].cancel() }
    promise(.success(1))
    #expect(order == (0..<40).filter { $0 % 3 != 0 && $0 % 4 != 0 })
  }

  @Test func afterCancellationNothingComes() {
    let (future, promise) = promised()
    let recorder = Recorder(.unlimited)
    future.subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    promise(.success(42))
    #expect(recorder.history == [.subscription("Future")])
  }

  @Test func cancellingFromWithinTheSubscriptionOrTheValueStopsTheRest() {
    let (future, promise) = promised()
    let early = Recorder(.unlimited)
    early.onSubscription = { $0.cancel() }
    future.subscribe(early)
    let late = Recorder(.unlimited)
    late.onValue = { _ in late.cancel() }
    future.subscribe(late)
    promise(.success(42))
    #expect(early.history == [.subscription("Future")])
    #expect(late.history == [.subscription("Future"), .value(42)])
  }

  @Test func thePromiseMayBeKeptAgainFromWithin() {
    let (future, promise) = promised()
    let recorder = Recorder(.unlimited)
    recorder.onValue = { promise(.success($0 + 1)) }
    recorder.onCompletion = { _ in promise(.failure(.first)) }
    future.subscribe(recorder)
    promise(.success(0))
    #expect(recorder.history == [.subscription("Future"), .value(0), .completion(.finished)])
  }

  @Test func thePromiseMayBeKeptWhileASubscriberIsBeingAttached() {
    let (future, promise) = promised()
    let recorder = Recorder(.unlimited)
    recorder.onSubscription = { _ in promise(.success(7)) }
    future.subscribe(recorder)
    #expect(recorder.history == [.subscription("Future"), .value(7), .completion(.finished)])
  }

  @Test func subscribersMayComeFromWithinTheDelivery() {
    let (future, promise) = promised()
    let outer = Recorder(.unlimited)
    let inner = Recorder(.unlimited)
    outer.onValue = { _ in future.subscribe(inner) }
    future.subscribe(outer)
    promise(.success(3))
    #expect(inner.history == [.subscription("Future"), .value(3), .completion(.finished)])
    #expect(outer.values == [3])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) { Promised { _ in }.subscribe(Recorder(.some(.none))) }
  }

  @Test(arguments: 0..<3)
  func everythingIsFreedHoweverItEnds(ending: Int) {
    let lifetimes = Lifetimes()
    let (future, promise) = promised()
    let recorder = Recorder(.max(1))
    do {
      let tracked = lifetimes.track()
      let inner = Recorder(.max(1))
      inner.onCompletion = { _ in tracked.touch() }
      inner.onSubscription = { recorder.receive(subscription: $0) }
      inner.keepsSubscriptions = false
      future.subscribe(inner)
    }
    #expect(lifetimes.live == 1)
    switch ending {
    case 0: recorder.cancel()
    case 1: promise(.success(1))
    default: promise(.failure(.first))
    }
    #expect(lifetimes.live == 0)
  }

  @Test func aForgottenPromiseFreesThoseWhoWait() {
    let lifetimes = Lifetimes()
    var promise: Promised.Promise?
    let future = Promised { promise = $0 }
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.max(1))
      recorder.keepsSubscriptions = false
      recorder.onValue = { _ in tracked.touch() }
      future.subscribe(recorder)
    }
    #expect(lifetimes.live == 1)
    promise = nil
    #expect(promise == nil)
    #expect(lifetimes.live == 0)
    let late = Recorder(.unlimited)
    future.subscribe(late)
    late.cancel()
    #expect(late.history == [.subscription("Future")])
  }

  /// A sink holds its subscription until its end, which never comes.
  @Test func aForgottenPromiseFreesThoseWhoKeepTheirSubscription() {
    let lifetimes = Lifetimes()
    var promise: Promised.Promise?
    let future = Promised { promise = $0 }
    func subscribe() {
      let tracked = lifetimes.track()
      let recorder = Recorder(.max(1))
      recorder.onValue = { _ in tracked.touch() }
      future.subscribe(recorder)
    }
    subscribe()
    #expect(lifetimes.live == 1)
    promise = nil
    #expect(promise == nil)
    #expect(lifetimes.live == 0)
    subscribe()
    #expect(lifetimes.live == 0)
  }

  /// It subscribes while the promise is kept and let go of, and asks later.
  @Test func aPromiseThatIsKeptAndLetGoOfWhileSomebodySubscribesIsKept() {
    var promise: Promised.Promise?
    let future = Promised { promise = $0 }
    let recorder = Recorder()
    recorder.onSubscription = { _ in
      promise?(.success(1))
      promise = nil
    }
    future.subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Future"), .value(1), .completion(.finished)])
  }

  @Test func describesItsSubscription() {
    let (future, promise) = promised()
    let recorder = Recorder()
    future.subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect(
      Mirror(reflecting: subscription).children.map(\.label) == ["parent", "downstream", "hasAnyDemand", "subject"])
    #expect(Mirror(reflecting: subscription).descendant("hasAnyDemand") as? Bool == false)
    #expect(Mirror(reflecting: subscription).descendant("downstream") as? Recorder === recorder)
    #expect(Mirror(reflecting: subscription).descendant("parent") is Future<Int, TestFailure>)
    promise(.failure(.first))
    #expect("\(Mirror(reflecting: subscription).descendant("parent") ?? 0)" == "nil")
    #expect("\(Mirror(reflecting: subscription).descendant("downstream") ?? 0)" == "nil")
  }
}
