// Tests of publishers that flatMap and switchToLatest pass on in place:
// whatever is seen is what a subscription would show.

import TestKit
import Testing
import WeirQueues

@testable import Weir

/// Hides from flatMap that a publisher is a known stream.
private struct Hidden<Known: Publisher>: Publisher {
  typealias Output = Known.Output
  typealias Failure = Known.Failure

  let known: Known

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    known.receive(subscriber: subscriber)
  }
}

@Suite struct KnownStreamTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>
  typealias Sequence = Publishers.Sequence<[Int], TestFailure>
  typealias Event = StreamEvent<Int, TestFailure>

  /// How many inner streams may be open, and whether a new one replaces the former.
  enum Way: CaseIterable {
    case all, one, latest
  }

  private func flatten<Outer: Publisher, Inner: Publisher>(
    _ outer: Outer, _ way: Way, to recorder: Recorder, _ makeInner: @escaping (Outer.Output) -> Inner
  ) where Inner.Output == Int, Inner.Failure == TestFailure, Outer.Failure == TestFailure {
    switch way {
    case .all: outer.flatMap(makeInner).subscribe(recorder)
    case .one: outer.flatMap(maxPublishers: .max(1), makeInner).subscribe(recorder)
    case .latest: outer.map(makeInner).switchToLatest().subscribe(recorder)
    }
  }

  /// Sends 1, 2 and 3 and the end through the operator, once with the streams that `makeInner` makes and once with the
  /// same streams hidden, and once erased. Each event of the histories must be the same.
  ///
  /// - Parameter prepare: Called with the recorder and the outer stream before each run.
  private func history<Inner: Publisher>(
    _ way: Way, demand: Subscribers.Demand? = .unlimited, _ makeInner: @escaping (Int) -> Inner,
    prepare: (Recorder, ScriptedPublisher<Int, TestFailure>) -> Void = { _, _ in }
  ) -> [Event] where Inner.Output == Int, Inner.Failure == TestFailure {
    let known = run(way, demand, makeInner, prepare)
    let hidden = run(way, demand, { Hidden(known: makeInner($0)) }, prepare)
    #expect(known.events == hidden.events)
    #expect(known.outer == hidden.outer)
    let erased = run(way, demand, { makeInner($0).eraseToAnyPublisher() }, prepare)
    #expect(erased.events == hidden.events)
    #expect(erased.outer == hidden.outer)
    return known.events
  }

  private func run<Inner: Publisher>(
    _ way: Way, _ demand: Subscribers.Demand?, _ makeInner: @escaping (Int) -> Inner,
    _ prepare: (Recorder, ScriptedPublisher<Int, TestFailure>) -> Void
  ) -> (events: [Event], outer: [RecordingSubscription.Event]?)
  where Inner.Output == Int, Inner.Failure == TestFailure {
    let outer = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = Recorder(demand)
    prepare(recorder, outer)
    flatten(outer, way, to: recorder, makeInner)
    for value in 1...3 { outer.send(value) }
    outer.send(completion: .finished)
    recorder.request(.max(2))
    recorder.request(.unlimited)
    recorder.onValue = nil
    return (recorder.history, outer.subscription?.history)
  }

  private func values(_ way: Way, _ values: [Int], _ end: Subscribers.Completion<TestFailure>? = .finished) -> [Event] {
    let name = way == .latest ? "SwitchToLatest" : "FlatMap"
    return [.subscription(name)] + values.map(Event.value) + (end.map { [.completion($0)] } ?? [])
  }

  // MARK: Erased ones

  @Test func erasureKeepsWhatIsKnown() {
    #expect(Just(1).eraseToAnyPublisher().isKnown)
    #expect(Just(1).eraseToAnyPublisher().eraseToAnyPublisher().isKnown)
    #expect(Just(1).eraseToAnyPublisher().setFailureType(to: TestFailure.self).isKnown)
    #expect(Just(1).setFailureType(to: TestFailure.self).eraseToAnyPublisher().isKnown)
    #expect(!PassthroughSubject<Int, Never>().eraseToAnyPublisher().isKnown)
    #expect(!Hidden(known: Just(1)).eraseToAnyPublisher().isKnown)
    #expect(
      !PassthroughSubject<Int, Never>().eraseToAnyPublisher().setFailureType(to: TestFailure.self).isKnown)
  }

  @Test(arguments: Way.allCases)
  func whatIsErasedAndNotKnownIsSubscribedTo(_ way: Way) {
    let recorder = Recorder(.unlimited)
    let inner = PassthroughSubject<Int, TestFailure>()
    let outer = PassthroughSubject<Int, TestFailure>()
    flatten(outer, way, to: recorder) { _ in inner.eraseToAnyPublisher() }
    outer.send(0)
    inner.send(7)
    #expect(recorder.values == [7])
  }

  // MARK: Each kind of publisher

  @Test(arguments: Way.allCases)
  func scalarsArePassedOn(_ way: Way) {
    #expect(history(way) { Just($0).setFailureType(to: TestFailure.self) } == values(way, [1, 2, 3]))
    #expect(history(way) { Result<Int, TestFailure>.success($0).publisher } == values(way, [1, 2, 3]))
    #expect(
      history(way) { ($0 == 2 ? nil : $0).publisher.setFailureType(to: TestFailure.self) } == values(way, [1, 3]))
  }

  @Test(arguments: Way.allCases)
  func sequencesAndRecordsArePassedOn(_ way: Way) {
    #expect(history(way) { Sequence(sequence: [$0, $0 * 10]) } == values(way, [1, 10, 2, 20, 3, 30]))
    #expect(history(way) { Sequence(sequence: $0 == 2 ? [] : [$0]) } == values(way, [1, 3]))
    #expect(
      history(way) { ($0..<$0 + 2).publisher.setFailureType(to: TestFailure.self) } == values(way, [1, 2, 2, 3, 3, 4]))
    #expect(
      history(way) { Record(output: [$0, -$0], completion: $0 == 2 ? .failure(.first) : .finished) }
        == values(way, [1, -1, 2, -2], .failure(.first)))
  }

  @Test(arguments: Way.allCases)
  func anErrorEndsTheStream(_ way: Way) {
    #expect(history(way) { _ in Fail<Int, TestFailure>(error: .second) } == values(way, [], .failure(.second)))
    #expect(
      history(way) { ($0 < 2 ? Result<Int, TestFailure>.success($0) : .failure(.first)).publisher }
        == values(way, [1], .failure(.first)))
  }

  @Test(arguments: Way.allCases)
  func emptyStreamsEndAtOnceOrNever(_ way: Way) {
    #expect(history(way) { _ in Empty<Int, TestFailure>() } == values(way, []))
    #expect(history(way) { Empty<Int, TestFailure>(completeImmediately: $0 < 3) } == values(way, [], nil))
  }

  @Test func anEndlessEmptyStreamTakesAPlace() {
    let outer = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = Recorder(.unlimited)
    flatten(outer, .one, to: recorder) { _ in Empty<Int, TestFailure>(completeImmediately: false) }
    outer.send(1)
    #expect(outer.subscription?.history == [.requested(.max(1))])
  }

  // MARK: Demand

  @Test(arguments: Way.allCases, [nil, Subscribers.Demand.max(1), .max(2), .max(4)])
  func limitedDemandIsServedAsFromASubscription(_ way: Way, _ demand: Subscribers.Demand?) {
    let all = history(way, demand: demand) { Sequence(sequence: [$0, $0 * 10]) }
    #expect(all.first == values(way, []).first)
    if way != .latest { #expect(all.count > 3) }
  }

  @Test func valuesWaitInOrderUntilDemandLosesItsLimitAndThenFlowInPlace() {
    let outer = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = Recorder(.max(1))
    flatten(outer, .all, to: recorder) { Sequence(sequence: [$0, $0 * 10]) }
    outer.send(1)
    outer.send(2)
    #expect(recorder.values == [1])
    recorder.request(.unlimited)
    outer.send(3)
    #expect(recorder.values == [1, 10, 2, 20, 3, 30])
  }

  @Test(arguments: Way.allCases)
  func demandThatLosesItsLimitWithinAValueIsServed(_ way: Way) {
    let all = history(way, demand: .max(1), { Sequence(sequence: [$0, $0 * 10]) }) { recorder, _ in
      recorder.demandPerValue = { _ in .unlimited }
    }
    #expect(all == values(way, [1, 10, 2, 20, 3, 30]))
  }

  // MARK: Cancellation

  @Test(arguments: Way.allCases)
  func cancellingWithinAValueStopsASequenceAtOnce(_ way: Way) {
    let all = history(way, { Sequence(sequence: [$0, $0 * 10, $0 * 100]) }) { recorder, _ in
      recorder.onValue = { [recorder] in if $0 == 20 { recorder.cancel() } }
    }
    #expect(all == values(way, [1, 10, 100, 2, 20], nil))
  }

  @Test(arguments: Way.allCases)
  func noElementIsReadAfterCancellation(_ way: Way) {
    let read = Shared(0)
    let all = history(
      way,
      { _ in
        Publishers.Sequence(
          sequence: (1...5).lazy.map { value -> Int in
            read.value += 1
            return value
          })
      }
    ) { recorder, _ in
      read.value = 0
      recorder.onValue = { [recorder] in
        #expect(read.value == $0 + 1)
        if $0 == 2 { recorder.cancel() }
      }
    }
    #expect(all == values(way, [1, 2], nil))
    #expect(read.value == 3)
  }

  @Test(arguments: Way.allCases)
  func aStreamThatCancelsWhileItIsReadDeliversNothing(_ way: Way) {
    let recorder = Recorder(.unlimited)
    let outer = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    flatten(outer, way, to: recorder) { _ in
      Publishers.Sequence(
        sequence: (1...3).lazy.map { value -> Int in
          recorder.cancel()
          return value
        })
    }
    outer.send(1)
    #expect(recorder.history == values(way, [], nil))
    recorder.forgetSubscriptions()
  }

  // MARK: Re-entrance

  @Test(arguments: Way.allCases)
  func aStreamOpenedWithinAValueIsDeliveredThere(_ way: Way) {
    let all = history(way, { Sequence(sequence: [$0, $0 * 10]) }) { recorder, outer in
      recorder.onValue = { [outer] in if $0 == 2 { outer.send(7) } }
    }
    // The newest stream replaces the one that it was opened in.
    #expect(all == values(way, way == .latest ? [1, 10, 2, 7, 70, 3, 30] : [1, 10, 2, 7, 70, 20, 3, 30]))
  }

  @Test(arguments: Way.allCases)
  func theOuterEndWithinAValueWaitsForTheRestOfTheStream(_ way: Way) {
    let all = history(way, { Sequence(sequence: [$0, $0 * 10]) }) { recorder, outer in
      recorder.onValue = { [outer] in if $0 == 2 { outer.send(completion: .finished) } }
    }
    #expect(all == values(way, [1, 10, 2, 20]))
  }

  @Test(arguments: Way.allCases)
  func anErrorWithinAValueEndsItAll(_ way: Way) {
    let all = history(way, { Sequence(sequence: [$0, $0 * 10]) }) { recorder, outer in
      recorder.onValue = { [outer] in if $0 == 2 { outer.send(completion: .failure(.first)) } }
    }
    #expect(all == values(way, [1, 10, 2], .failure(.first)))
  }

  @Test(arguments: Way.allCases)
  func aRequestWithinAValueChangesNothing(_ way: Way) {
    let all = history(way, { Sequence(sequence: [$0, $0 * 10]) }) { recorder, _ in
      recorder.onValue = { [recorder] _ in recorder.request(.max(1)) }
      recorder.demandPerValue = { _ in .max(2) }
    }
    #expect(all == values(way, [1, 10, 2, 20, 3, 30]))
  }

  // MARK: Other

  @Test func aReplacedStreamOfASubjectIsCancelledBeforeAKnownOneIsDelivered() {
    let inner = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let outer = PassthroughSubject<Int, TestFailure>()
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in #expect(inner.subscription?.history == [.requested(.unlimited), .cancelled]) }
    let link = FlattenLink(downstream: HeldSubscriber(recorder), policy: .latest, name: "Test", isKnown: true)
    recorder.receive(subscription: link)
    link.open(inner)
    link.open(Just(1).setFailureType(to: TestFailure.self))
    #expect(inner.send(2) == .none)
    #expect(recorder.values == [1])
    withExtendedLifetime(outer) {}
  }

  @Test(arguments: Way.allCases)
  func cancellingFromAnotherThreadStopsASequenceAtOnce(_ way: Way) {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { [recorder] in if $0 == 2 { onThreads(1) { _ in recorder.cancel() } } }
    flatten(Sequence(sequence: [0]), way, to: recorder) { _ in Sequence(sequence: Array(1...9)) }
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
  }

  @Test func aHundredThousandKnownStreamsNeedNoStackAndOnePlace() {
    let recorder = Recorder(.unlimited)
    flatten(Sequence(sequence: Array(0..<100_000)), .one, to: recorder) {
      Result<Int, TestFailure>.success($0).publisher
    }
    #expect(recorder.values == Array(0..<100_000))
    #expect(recorder.completions == [.finished])
  }

  @Test(arguments: Way.allCases)
  func nothingIsKeptOfAKnownStream(_ way: Way) {
    let lifetimes = Lifetimes()
    let outer = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber(.unlimited, of: Int.self, failingWith: TestFailure.self)
    flatten(outer, way, to: recorder) {
      Publishers.Sequence(sequence: [lifetimes.track($0), lifetimes.track(-$0)].lazy.map(\.number))
    }
    outer.send(1)
    #expect(recorder.values == [1, -1])
    #expect(lifetimes.live == 0)
    #expect(lifetimes.made == 2)
  }

  @Test func aValueOfAnotherThreadWaitsForTheRestOfAKnownStream() {
    let outer = PassthroughSubject<Int, TestFailure>()
    let live = PassthroughSubject<Int, TestFailure>()
    let recorder = Recorder(.unlimited)
    let link = withThreadMark(ContentionPolicy.handOver.mark) {
      FlattenLink(downstream: HeldSubscriber(recorder), policy: .all, name: "Test", isKnown: true)
    }
    recorder.receive(subscription: link)
    recorder.onValue = { value in if value == 1 { onThreads(1) { _ in live.send(9) } } }
    link.open(live)
    link.open(Sequence(sequence: [1, 2, 3]))
    #expect(recorder.values == [1, 2, 3, 9])
    withExtendedLifetime(outer) {}
  }
}
