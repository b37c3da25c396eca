// Tests of zip: demand of each stream, surplus, the end as soon as no tuple is possible, and all its arities.

import TestKit
import Testing
import Weir

@Suite struct ZipTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let recorder = Recorder()

  /// Streams of numbers, zipped into their sums.
  private func subscribe(
    arity: Int = 2, _ demand: Subscribers.Demand?, perValue: Subscribers.Demand = .none
  ) -> [Source] {
    let s = (0..<arity).map { Source(RecordingSubscription("\($0)")) }
    recorder.initialDemand = demand
    recorder.demandPerValue = { _ in perValue }
    switch arity {
    case 2: s[0].zip(s[1]) { $0 + $1 }.subscribe(recorder)
    case 3: s[0].zip(s[1], s[2]) { $0 + $1 + $2 }.subscribe(recorder)
    default: s[0].zip(s[1], s[2], s[3]) { $0 + $1 + $2 + $3 }.subscribe(recorder)
    }
    return s
  }

  @Test func pairsFirstWithFirst() {
    let recorder = RecordingSubscriber<String, Never>(.unlimited)
    [1, 2, 3].publisher.zip(["a", "b"].publisher).map { "\($0)\($1)" }.subscribe(recorder)
    #expect(recorder.history == [.subscription("Zip"), .value("1a"), .value("2b"), .completion(.finished)])
  }

  @Test(arguments: 2...4) func aTupleNeedsAValueOfEach(_ arity: Int) {
    let streams = subscribe(arity: arity, .unlimited)
    for (number, stream) in streams.enumerated() {
      #expect(recorder.values == [])
      #expect(stream.send(1 << number) == .none)
      #expect(stream.subscriber?.description == "Zip")
    }
    #expect(recorder.history == [.subscription("Zip"), .value(1 << arity - 1)])
  }

  @Test func theTuplesOfEachArityAreInOrder() {
    let three = RecordingSubscriber<String, Never>(.unlimited)
    let four = RecordingSubscriber<String, Never>(.unlimited)
    Just(1).zip(Just("b"), Just(2.5)).map { "\($0) \($1) \($2)" }.subscribe(three)
    Just(1).zip(Just("b"), Just(2.5), Just(true)).map { "\($0) \($1) \($2) \($3)" }.subscribe(four)
    #expect(three.values == ["1 b 2.5"])
    #expect(four.values == ["1 b 2.5 true"])
    #expect(Just(1).zip(Just(2)) == Publishers.Zip(Just(1), Just(2)))
    #expect(Publishers.Zip3(Just(1), Just(2), Just(3)) != Publishers.Zip3(Just(1), Just(2), Just(4)))
  }

  @Test func aSequenceIsPairedWithACurrentValue() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    [42].publisher.zip(CurrentValueSubject<Int, Never>(7)) { $0 + $1 }.subscribe(recorder)
    #expect(recorder.history == [.subscription("Zip"), .value(49), .completion(.finished)])
  }

  // MARK: Subscription

  @Test func sendsItsSubscriptionWhenAllStreamsHave() {
    let a = Source()
    let b = Source(nil)
    a.zip(b) { $0 + $1 }.subscribe(recorder)
    #expect(recorder.history == [])
    b.send(subscription: RecordingSubscription())
    #expect(recorder.history == [.subscription("Zip")])
  }

  @Test func cancelsFurtherSubscriptions() {
    let streams = subscribe(.max(1))
    let further = RecordingSubscription()
    streams[0].send(subscription: further)
    #expect(further.history == [.cancelled])
    recorder.cancel()
    streams[1].send(subscription: further)
    #expect(further.history == [.cancelled, .cancelled])
    #expect(recorder.history == [.subscription("Zip")])
  }

  @Test func failsBeforeAllSubscriptionsHaveCome() {
    let a = Source()
    let b = Source(nil)
    a.zip(b) { $0 + $1 }.subscribe(recorder)
    a.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("Empty"), .completion(.failure(.first))])
    let late = RecordingSubscription()
    b.send(subscription: late)
    #expect(late.history == [.cancelled])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber(Subscribers.Demand.none, of: Int.self, failingWith: Never.self)
      Just(1).zip(Just(2)) { $0 + $1 }.subscribe(recorder)
    }
  }

  // MARK: Demand

  @Test(arguments: [Subscribers.Demand.unlimited, .max(1)])
  func passesEachDemandUnchangedToEveryStream(_ demand: Subscribers.Demand) {
    let streams = subscribe(demand)
    for stream in streams { #expect(stream.send(1) == .none) }
    for stream in streams { #expect(stream.subscription?.history == [.requested(demand)]) }
    recorder.request(.max(2))
    for stream in streams {
      #expect(stream.subscription?.history == [.requested(demand), .requested(.max(2))])
    }
  }

  @Test(arguments: 2...4) func returnedDemandGoesToTheLastStreamAsAnAnswerAndToTheOthersAsARequest(_ arity: Int) {
    let streams = subscribe(arity: arity, .max(1), perValue: .max(3))
    for stream in streams.dropLast() { #expect(stream.send(1) == .none) }
    #expect(streams[arity - 1].send(1) == .max(3))
    for stream in streams.dropLast() {
      #expect(stream.subscription?.history == [.requested(.max(1)), .requested(.max(3))])
    }
    #expect(streams[arity - 1].subscription?.history == [.requested(.max(1))])
  }

  @Test(arguments: [Subscribers.Demand.unlimited, .max(10)])
  func demandDuringADeliveryIsTheAnswerOfTheLastStream(_ demand: Subscribers.Demand) {
    recorder.onValue = { [recorder] _ in recorder.request(.max(666)) }
    let streams = subscribe(demand)
    #expect(streams[0].send(1) == .none)
    #expect(streams[1].send(1) == .max(666))
    #expect(streams[0].subscription?.history == [.requested(demand), .requested(.max(666))])
    #expect(streams[1].subscription?.history == [.requested(demand)])
    // The answer is given once.
    recorder.onValue = nil
    streams[1].send(1)
    #expect(streams[0].send(1) == .none)
  }

  @Test func queuesASurplusWithoutLimitAndSendsTuplesWithoutDemand() {
    let streams = subscribe(.max(1))
    for value in 1...1000 { #expect(streams[0].send(value * 1000) == .none) }
    for value in 1...1000 { #expect(streams[1].send(value) == .none) }
    #expect(recorder.values == (1...1000).map { $0 * 1001 })
    #expect(streams[0].subscription?.history == [.requested(.max(1))])
  }

  // MARK: End

  @Test(arguments: 2...4) func finishesAtOnceIfAStreamFinishesWithoutSurplus(_ arity: Int) {
    for number in 0..<arity {
      let recorder = Recorder(.unlimited)
      let s = (0..<arity).map { Source(RecordingSubscription("\($0)")) }
      switch arity {
      case 2: s[0].zip(s[1]) { $0 + $1 }.subscribe(recorder)
      case 3: s[0].zip(s[1], s[2]) { $0 + $1 + $2 }.subscribe(recorder)
      default: s[0].zip(s[1], s[2], s[3]) { $0 + $1 + $2 + $3 }.subscribe(recorder)
      }
      s[(number + 1) % arity].send(1)
      s[number].send(completion: .finished)
      #expect(recorder.history == [.subscription("Zip"), .completion(.finished)])
      for (other, stream) in s.enumerated() {
        #expect(
          stream.subscription?.history == [.requested(.unlimited)] + (other == number ? [] : [.cancelled]))
      }
    }
  }

  @Test func finishesOnceTheSurplusOfAFinishedStreamIsUsedUp() {
    let streams = subscribe(.unlimited)
    for value in [100, 200] { streams[0].send(value) }
    streams[0].send(completion: .finished)
    streams[0].send(300)
    streams[1].send(1)
    #expect(recorder.history == [.subscription("Zip"), .value(101)])
    streams[1].send(2)
    #expect(recorder.history == [.subscription("Zip"), .value(101), .value(202), .completion(.finished)])
    streams[1].send(completion: .finished)
    streams[1].send(completion: .failure(.first))
    #expect(streams[1].send(3) == .none)
    #expect(recorder.history == [.subscription("Zip"), .value(101), .value(202), .completion(.finished)])
    #expect(streams[0].subscription?.history == [.requested(.unlimited)])
    #expect(streams[1].subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func finishesWhenTheOtherFinishesWithoutHavingUsedTheSurplus() {
    let streams = subscribe(.unlimited)
    streams[0].send(1)
    streams[0].send(completion: .finished)
    #expect(recorder.completions == [])
    streams[1].send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func aFailureCancelsAllStreamsAndDropsTheSurplus() {
    let streams = subscribe(.unlimited)
    streams[0].send(100)
    streams[0].send(completion: .failure(.first))
    streams[1].send(1)
    streams[1].send(completion: .failure(.second))
    #expect(recorder.history == [.subscription("Zip"), .completion(.failure(.first))])
    for stream in streams {
      #expect(stream.subscription?.history == [.requested(.unlimited), .cancelled])
    }
  }

  @Test func cancelsAllOnce() {
    let streams = subscribe(.max(1))
    streams[0].send(1)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    streams[1].send(1)
    streams[1].send(completion: .finished)
    #expect(recorder.history == [.subscription("Zip")])
    for stream in streams { #expect(stream.subscription?.history == [.requested(.max(1)), .cancelled]) }
  }

  // MARK: Re-entrance

  @Test func acceptsAValueWithinADelivery() {
    let streams = subscribe(.unlimited)
    recorder.onValue = { _ in #expect(streams[0].send(10) == .none) }
    streams[0].send(1)
    #expect(streams[1].send(1) == .none)
    #expect(streams[1].send(2) == .none)
    #expect(recorder.values == [2, 12])
  }

  @Test func acceptsATupleWithinADelivery() {
    let streams = subscribe(.max(1), perValue: .max(1))
    recorder.onValue = {
      guard $0 == 2 else { return }
      streams[0].send(10)
      #expect(streams[1].send(20) == .none)
    }
    streams[0].send(1)
    #expect(streams[1].send(1) == .max(2))
    #expect(recorder.values == [2, 30])
    #expect(streams[0].subscription?.history == [.requested(.max(1)), .requested(.max(1)), .requested(.max(1))])
    #expect(streams[1].subscription?.history == [.requested(.max(1))])
  }

  @Test func acceptsAnEndWithinADelivery() {
    let streams = subscribe(.unlimited)
    recorder.onValue = { _ in streams[0].send(completion: .finished) }
    streams[0].send(1)
    streams[0].send(2)
    streams[1].send(1)
    #expect(recorder.history == [.subscription("Zip"), .value(2)])
    streams[1].send(1)
    #expect(recorder.history == [.subscription("Zip"), .value(2), .value(3), .completion(.finished)])
  }

  @Test func cancelsWithinADelivery() {
    let streams = subscribe(.unlimited)
    recorder.onValue = { [recorder] _ in recorder.cancel() }
    streams[0].send(1)
    streams[0].send(2)
    streams[1].send(1)
    streams[1].send(2)
    #expect(recorder.history == [.subscription("Zip"), .value(2)])
  }
}
