// What every operator owes: nothing leaks however a stream ends, and misbehaving neighbours do no harm.

import TestKit
import Testing
import Weir

/// An operator on integers, with what it keeps in its closures.
struct OperatorUnderTest: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Whether it holds a subscription of its own; the others pass everything through.
  let guardsItsLife: Bool
  /// Applies the operator; its closures, if it has any, capture the object.
  let apply:
    @Sendable (AnyPublisher<Int, TestFailure>, ManualScheduler, LifetimeTracked) -> AnyPublisher<Int, TestFailure>

  static let all =
    [
      OperatorUnderTest(testDescription: "map", guardsItsLife: false) { upstream, _, tracked in
        upstream.map { value in
          tracked.touch()
          return value
        }.eraseToAnyPublisher()
      },
      OperatorUnderTest(testDescription: "filter", guardsItsLife: false) { upstream, _, tracked in
        upstream.filter { _ in
          tracked.touch()
          return true
        }.eraseToAnyPublisher()
      },
      OperatorUnderTest(testDescription: "eraseToAnyPublisher", guardsItsLife: false) { upstream, _, tracked in
        upstream.eraseToAnyPublisher().map { value in
          tracked.touch()
          return value
        }.eraseToAnyPublisher()
      },
      OperatorUnderTest(testDescription: "receive(on:)", guardsItsLife: true) { upstream, scheduler, tracked in
        upstream.map { value in
          tracked.touch()
          return value
        }.receive(on: scheduler).eraseToAnyPublisher()
      },
      OperatorUnderTest(testDescription: "map, filter, receive(on:), map", guardsItsLife: true) {
        upstream, scheduler, tracked in
        upstream.map { $0 + 1 }.filter { $0 != 0 }.receive(on: scheduler).map { value in
          tracked.touch()
          return value - 1
        }.eraseToAnyPublisher()
      },
    ] + ValueOperators.underTest
}

@Suite struct LifeCycleTests {
  enum Ending: CaseIterable { case finish, fail, cancel, drop }

  private let lifetimes = Lifetimes()
  private let scheduler = ManualScheduler()

  // MARK: Leaks

  @Test(arguments: OperatorUnderTest.all, Ending.allCases)
  func everythingIsFreedHoweverTheStreamEnds(sut: OperatorUnderTest, ending: Ending) {
    let subject = PassthroughSubject<Int, TestFailure>()
    var cancellable: AnyCancellable?
    do {
      let inOperator = lifetimes.track()
      let inValue = lifetimes.track()
      let inCompletion = lifetimes.track()
      cancellable = sut.apply(subject.eraseToAnyPublisher(), scheduler, inOperator)
        .sink(receiveCompletion: { _ in inCompletion.touch() }, receiveValue: { _ in inValue.touch() })
    }
    #expect(lifetimes.live == 3)
    subject.send(1)
    scheduler.run()
    #expect(lifetimes.live == 3)
    switch ending {
    case .finish: subject.send(completion: .finished)
    case .fail: subject.send(completion: .failure(.first))
    case .cancel: cancellable?.cancel()
    case .drop: cancellable = nil
    }
    if ending == .finish || ending == .fail {
      scheduler.run()
      cancellable = nil
    }
    // Cancelling frees everything before it returns, as no delivery is under way.
    #expect(lifetimes.live == 0)
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: OperatorUnderTest.all)
  func endedStreamsAreFreedWhileTheSubjectAndTheCancellableAreHeld(sut: OperatorUnderTest) {
    let subject = PassthroughSubject<Int, TestFailure>()
    let sink: Subscribers.Sink<Int, TestFailure>
    do {
      let inOperator = lifetimes.track()
      let inValue = lifetimes.track()
      let inCompletion = lifetimes.track()
      sink = Subscribers.Sink(
        receiveCompletion: { _ in inCompletion.touch() }, receiveValue: { _ in inValue.touch() })
      sut.apply(subject.eraseToAnyPublisher(), scheduler, inOperator).subscribe(sink)
    }
    subject.send(1)
    scheduler.run()
    #expect(lifetimes.live == 3)
    subject.send(completion: .failure(.second))
    scheduler.run()
    #expect(lifetimes.live == 0)
    withExtendedLifetime((subject, sink)) {}
  }

  @Test(arguments: OperatorUnderTest.all)
  func cancellingFromWithinAValueFreesEverythingAfterwards(sut: OperatorUnderTest) {
    let subject = PassthroughSubject<Int, TestFailure>()
    var cancellable: AnyCancellable?
    do {
      let inOperator = lifetimes.track()
      let inValue = lifetimes.track()
      cancellable = sut.apply(subject.eraseToAnyPublisher(), scheduler, inOperator)
        .sink(
          receiveCompletion: { _ in },
          receiveValue: { _ in
            cancellable?.cancel()
            cancellable = nil
            inValue.touch()
          })
    }
    subject.send(1)
    subject.send(2)
    scheduler.run()
    #expect(cancellable == nil)
    #expect(lifetimes.live == 0)
  }

  @Test(arguments: OperatorUnderTest.all)
  func cancellingFreesTheUpstream(sut: OperatorUnderTest) {
    weak var weakSubject: PassthroughSubject<Int, TestFailure>?
    let cancellable: AnyCancellable
    do {
      let subject = PassthroughSubject<Int, TestFailure>()
      weakSubject = subject
      cancellable = sut.apply(subject.eraseToAnyPublisher(), scheduler, lifetimes.track())
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    #expect(weakSubject != nil)
    cancellable.cancel()
    #expect(weakSubject == nil)
  }

  @Test func originsFreeEverythingHoweverTheStreamEnds() {
    for ending in Ending.allCases where ending != .fail {
      let publishers: [AnyPublisher<LifetimeTracked, Never>] = [
        Just(lifetimes.track()).eraseToAnyPublisher(),
        Optional(lifetimes.track()).publisher.eraseToAnyPublisher(),
        (0..<3).map { lifetimes.track($0) }.publisher.eraseToAnyPublisher(),
      ]
      for publisher in publishers {
        var subscription: (any Subscription)?
        do {
          let tracked = lifetimes.track()
          publisher.subscribe(
            AnySubscriber(
              receiveSubscription: { subscription = $0 },
              receiveValue: { _ in
                tracked.touch()
                return .none
              }))
        }
        switch ending {
        case .finish: subscription?.request(.unlimited)
        case .cancel: subscription?.cancel()
        case .drop, .fail: subscription = nil
        }
        // What is left is what the publishers themselves hold.
        #expect(lifetimes.live == 5)
        withExtendedLifetime(subscription) {}
      }
      withExtendedLifetime(publishers) {}
    }
    #expect(lifetimes.live == 0)
  }

  // MARK: Misbehaving neighbours

  private typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test(arguments: OperatorUnderTest.all)
  func aSecondSubscriptionIsCancelledOrPassedOn(sut: OperatorUnderTest) {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
    sut.apply(publisher.eraseToAnyPublisher(), scheduler, lifetimes.track()).subscribe(sink)
    let second = RecordingSubscription()
    publisher.send(subscription: second)
    // An operator that passes everything through leaves it to the sink, which refuses it just the same.
    #expect(second.history == [.cancelled])
    #expect(publisher.subscription?.history == [.requested(.unlimited)])
  }

  @Test(arguments: OperatorUnderTest.all)
  func cancellingTwiceCancelsTheUpstreamOnce(sut: OperatorUnderTest) {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let cancellable = sut.apply(publisher.eraseToAnyPublisher(), scheduler, lifetimes.track())
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    cancellable.cancel()
    cancellable.cancel()
    #expect(publisher.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: OperatorUnderTest.all)
  func aSinkBehindItIsCompletedOnceAndReceivesNothingAfterwards(sut: OperatorUnderTest) {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    var events: [String] = []
    let cancellable = sut.apply(publisher.eraseToAnyPublisher(), scheduler, lifetimes.track())
      .sink(receiveCompletion: { events.append("\($0)") }, receiveValue: { events.append("\($0)") })
    publisher.send(1)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    publisher.send(2)
    scheduler.run()
    publisher.send(completion: .finished)
    publisher.send(3)
    scheduler.run()
    #expect(events == ["1", "finished"])
    cancellable.cancel()
    #expect(publisher.subscription?.history == [.requested(.unlimited)])
  }

  @Test(arguments: OperatorUnderTest.all)
  func onlyOperatorsWithALifeOfTheirOwnGuardIt(sut: OperatorUnderTest) {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = Recorder(.unlimited)
    sut.apply(publisher.eraseToAnyPublisher(), scheduler, lifetimes.track()).subscribe(recorder)
    publisher.send(completion: .finished)
    publisher.send(completion: .finished)
    publisher.send(5)
    scheduler.run()
    #expect(recorder.completions.count == (sut.guardsItsLife ? 1 : 2))
    #expect(recorder.values == (sut.guardsItsLife ? [] : [5]))
  }
}
