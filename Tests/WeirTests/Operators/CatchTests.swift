// Tests of catch and tryCatch: another stream in the place of one that failed, with the demand that is left.

import TestKit
import Testing
import Weir

/// catch or tryCatch with a handler that doesn't throw.
struct CatchCase: CustomTestStringConvertible, Sendable {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, any Error>
  typealias Successor = AnyPublisher<Int, any Error>

  let testDescription: String
  let subscribe: @Sendable (Source, @escaping (TestFailure) -> Successor, Recorder) -> Void

  static let all = [
    CatchCase(testDescription: "Catch") { upstream, handler, recorder in upstream.catch(handler).subscribe(recorder) },
    CatchCase(testDescription: "TryCatch") { upstream, handler, recorder in
      upstream.tryCatch(handler).subscribe(recorder)
    },
  ]
}

@Suite struct CatchTests {
  typealias Event = StreamEvent<Int, TestFailure>
  typealias Successor = ScriptedPublisher<Int, any Error>

  private let source = CatchCase.Source()
  private let successor = Successor()
  private let recorder = CatchCase.Recorder()

  private func subscribe(_ tested: CatchCase, _ demand: Subscribers.Demand?, perValue: Subscribers.Demand = .none) {
    recorder.initialDemand = demand
    recorder.demandPerValue = { _ in perValue }
    let successor = successor
    tested.subscribe(source, { _ in successor.eraseToAnyPublisher() }, recorder)
  }

  @Test(arguments: CatchCase.all) func aStreamTakesThePlaceOfOneThatFails(_ tested: CatchCase) {
    let recorder = RecordingSubscriber<Int, any Error>(.max(1), perValue: .max(1))
    let failing = (0..<10).publisher.eraseToAnyPublisher().tryMap { value -> Int in
      if value == 5 { throw TestFailure.first }
      return value
    }
    var caught: [any Error] = []
    if tested.testDescription == "Catch" {
      failing.catch { error -> AnyPublisher<Int, any Error> in
        caught.append(error)
        return [3, 2, 1].publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
      }.subscribe(recorder)
    } else {
      failing.tryCatch { error -> Publishers.Sequence<[Int], Never> in
        caught.append(error)
        return [3, 2, 1].publisher
      }.subscribe(recorder)
    }
    #expect(caught as? [TestFailure] == [.first])
    #expect(
      recorder.events == [.subscription(tested.testDescription)] + [0, 1, 2, 3, 4, 3, 2, 1].map { .value($0) }
        + [.completion(.finished)])
  }

  @Test(arguments: CatchCase.all) func aFinishIsPassedOn(_ tested: CatchCase) {
    subscribe(tested, .max(2))
    for value in 1...2 { #expect(source.send(value) == .none) }
    source.send(completion: .finished)
    source.send(completion: .finished)
    source.send(completion: .failure(.first))
    #expect(
      recorder.events == [.subscription(tested.testDescription), .value(1), .value(2), .completion(.finished)])
    #expect(source.subscription?.history == [.requested(.max(2))])
    #expect(successor.subscriber == nil)
  }

  @Test(arguments: CatchCase.all) func aFailureOfTheNewStreamIsPassedOn(_ tested: CatchCase) {
    subscribe(tested, .max(2))
    source.send(completion: .failure(.first))
    successor.send(completion: .failure(TestFailure.second))
    source.send(completion: .failure(.first))
    #expect(recorder.events == [.subscription(tested.testDescription), .completion(.failure(.second))])
  }

  @Test func whatTheHandlerThrowsEndsTheStream() {
    recorder.initialDemand = .unlimited
    var caught: [TestFailure] = []
    source.tryCatch { error -> Just<Int> in
      caught.append(error)
      throw TestFailure.second
    }.subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.first))
    // As in Combine: values that come after the end are passed on, and nothing else.
    #expect(source.send(-1) == .none)
    source.send(completion: .failure(.first))
    source.send(completion: .finished)
    #expect(
      recorder.events == [.subscription("TryCatch"), .value(1), .completion(.failure(.second)), .value(-1)])
    #expect(source.subscription?.history == [.requested(.unlimited)])
    #expect(caught == [.first])
  }

  // MARK: Demand

  @Test(arguments: CatchCase.all) func whatIsLeftGoesToTheNewStreamInOneRequest(_ tested: CatchCase) {
    subscribe(tested, .max(12), perValue: .max(3))
    recorder.request(.max(5))
    for value in 1...8 { #expect(source.send(value) == .max(3)) }
    source.send(completion: .failure(.first))
    #expect(recorder.values == Array(1...8))
    #expect(source.subscription?.history == [.requested(.max(12)), .requested(.max(5))])
    #expect(successor.subscription?.history == [.requested(.max(33))])
    #expect(successor.send(9) == .max(3))
    #expect(recorder.values == Array(1...9))
  }

  @Test(arguments: CatchCase.all) func demandBetweenTheStreamsWaits(_ tested: CatchCase) {
    successor.subscription = nil
    subscribe(tested, .max(3))
    source.send(1)
    source.send(completion: .failure(.first))
    recorder.request(.max(10))
    let subscription = RecordingSubscription()
    successor.send(subscription: subscription)
    #expect(source.subscription?.history == [.requested(.max(3))])
    #expect(subscription.history == [.requested(.max(12))])
  }

  @Test(arguments: CatchCase.all) func theNewStreamIsNotAskedForNothing(_ tested: CatchCase) {
    subscribe(tested, nil)
    source.send(completion: .failure(.first))
    #expect(successor.subscription?.history == [])
    recorder.request(.max(12))
    #expect(successor.subscription?.history == [.requested(.max(12))])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber(Subscribers.Demand.none, of: Int.self, failingWith: Never.self)
      Empty<Int, TestFailure>().catch { _ in Empty<Int, Never>() }.subscribe(recorder)
    }
  }

  // MARK: Life

  @Test(arguments: CatchCase.all) func bothSubscribersAreTheSubscription(_ tested: CatchCase) {
    subscribe(tested, nil)
    source.send(completion: .failure(.first))
    let identity = recorder.subscriptions[0].combineIdentifier
    #expect(source.subscriber?.combineIdentifier == identity)
    #expect(successor.subscriber?.combineIdentifier == identity)
    #expect(source.subscriber?.description == tested.testDescription)
    #expect(successor.subscriber?.description == tested.testDescription)
    let children = Mirror(reflecting: source.subscriber!).children.map(\.label)
    #expect(children == ["downstream", "demand"])
  }

  @Test(arguments: CatchCase.all) func cancelsFurtherSubscriptions(_ tested: CatchCase) {
    subscribe(tested, .max(1))
    let further = (0..<4).map { RecordingSubscription("\($0)") }
    source.send(subscription: further[0])
    source.send(completion: .failure(.first))
    source.send(subscription: further[1])
    successor.send(subscription: further[2])
    successor.send(completion: .finished)
    successor.send(subscription: further[3])
    #expect(further.map(\.history) == Array(repeating: [.cancelled], count: 4))
    #expect(recorder.events == [.subscription(tested.testDescription), .completion(.finished)])
  }

  @Test(arguments: CatchCase.all) func ignoresAFinishBeforeTheSubscription(_ tested: CatchCase) {
    source.subscription = nil
    subscribe(tested, nil)
    source.send(completion: .finished)
    #expect(recorder.events == [])
  }

  @Test(arguments: CatchCase.all) func cancelsBeforeAFailure(_ tested: CatchCase) {
    subscribe(tested, .max(1), perValue: .max(3))
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(199))
    // As in Combine: values that come after the end are passed on.
    #expect(source.send(1) == .max(3))
    source.send(completion: .failure(.first))
    #expect(source.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(recorder.events == [.subscription(tested.testDescription), .value(1)])
    #expect(successor.subscriber == nil)
  }

  @Test(arguments: CatchCase.all) func cancelsAfterAFailure(_ tested: CatchCase) {
    subscribe(tested, nil, perValue: .max(3))
    source.send(completion: .failure(.first))
    recorder.cancel()
    #expect(successor.send(1) == .max(3))
    successor.send(completion: .finished)
    #expect(source.subscription?.history == [])
    #expect(successor.subscription?.history == [.cancelled])
    #expect(recorder.events == [.subscription(tested.testDescription), .value(1)])
  }

  /// Combine forgets a cancellation at this point.
  @Test(arguments: CatchCase.all) func cancelsBetweenTheStreams(_ tested: CatchCase) {
    successor.subscription = nil
    subscribe(tested, .max(3))
    source.send(completion: .failure(.first))
    recorder.cancel()
    let subscription = RecordingSubscription()
    successor.send(subscription: subscription)
    successor.send(completion: .finished)
    #expect(subscription.history == [.cancelled])
    #expect(recorder.events == [.subscription(tested.testDescription)])
  }

  @Test func cancelsWithinTheHandler() {
    recorder.initialDemand = .max(1)
    source.tryCatch { [recorder] _ -> Just<Int> in
      recorder.cancel()
      throw TestFailure.second
    }.subscribe(recorder)
    source.send(completion: .failure(.first))
    #expect(recorder.events == [.subscription("TryCatch")])
  }

  @Test(arguments: CatchCase.all) func aStreamThatNobodyWantsAnyMoreIsNotSubscribedTo(_ tested: CatchCase) {
    let successor = successor
    tested.subscribe(
      source,
      { [recorder] _ in
        recorder.cancel()
        return successor.eraseToAnyPublisher()
      }, recorder)
    source.send(completion: .failure(.first))
    #expect(successor.subscriber == nil)
    #expect(recorder.events == [.subscription(tested.testDescription)])
  }

  // MARK: Broken promises of the upstream

  @Test func trapsWhenItReceivesAValueItHasNotAskedFor() async {
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      source.catch { _ in Just(1) }.subscribe(RecordingSubscriber(of: Int.self, failingWith: Never.self))
      source.send(42)
    }
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      source.tryCatch { _ in Just(1) }.subscribe(RecordingSubscriber(of: Int.self, failingWith: (any Error).self))
      source.send(42)
    }
  }

  @Test func trapsWhenTheUpstreamFailsTwice() async {
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      let successor = ScriptedPublisher(of: Int.self, failingWith: Never.self)
      source.catch { _ in successor }.subscribe(RecordingSubscriber(of: Int.self, failingWith: Never.self))
      source.send(completion: .failure(.first))
      source.send(completion: .failure(.first))
    }
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      source.tryCatch { failure -> Just<Int> in
        source.send(completion: .failure(failure))
        return Just(1)
      }.subscribe(RecordingSubscriber(.unlimited, of: Int.self, failingWith: (any Error).self))
      source.send(completion: .failure(.first))
    }
  }

  // MARK: Leaks

  @Test func freesItsHandlerAndItsSubscriberAtTheEnd() {
    let lifetimes = Lifetimes()
    for ending in 0..<4 {
      let subject = PassthroughSubject<Int, TestFailure>()
      let next = PassthroughSubject<Int, Never>()
      var subscription: (any Subscription)?
      do {
        let (inHandler, inValue) = (lifetimes.track(), lifetimes.track())
        let recorder = RecordingSubscriber<Int, Never>(.unlimited)
        recorder.keepsSubscriptions = false
        recorder.onSubscription = { subscription = $0 }
        recorder.onValue = { _ in inValue.touch() }
        subject.catch { _ -> PassthroughSubject<Int, Never> in
          inHandler.touch()
          return next
        }.subscribe(recorder)
      }
      subject.send(1)
      #expect(lifetimes.live == 2)
      switch ending {
      case 0: subject.send(completion: .finished)
      case 1: subscription?.cancel()
      default:
        subject.send(completion: .failure(.first))
        #expect(lifetimes.live == 1)
        if ending == 2 { next.send(completion: .finished) } else { subscription?.cancel() }
      }
      #expect(lifetimes.live == 0)
      withExtendedLifetime(subscription) {}
    }
  }
}
