// Tests of combineLatest: the newest value of each stream, one tuple per unit of demand, the end when all have ended.

import TestKit
import Testing
import Weir

@Suite struct CombineLatestTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let recorder = Recorder()

  /// Streams of numbers, combined into their sums.
  private func subscribe(
    arity: Int = 2, _ demand: Subscribers.Demand?, perValue: Subscribers.Demand = .none
  ) -> [Source] {
    let s = (0..<arity).map { Source(RecordingSubscription("\($0)")) }
    recorder.initialDemand = demand
    recorder.demandPerValue = { _ in perValue }
    switch arity {
    case 2: s[0].combineLatest(s[1]) { $0 + $1 }.subscribe(recorder)
    case 3: s[0].combineLatest(s[1], s[2]) { $0 + $1 + $2 }.subscribe(recorder)
    default: s[0].combineLatest(s[1], s[2], s[3]) { $0 + $1 + $2 + $3 }.subscribe(recorder)
    }
    return s
  }

  @Test func combinesEachValueWithTheNewestOfTheOther() {
    let recorder = RecordingSubscriber<String, Never>(.unlimited)
    let numbers = PassthroughSubject<Int, Never>()
    let letters = PassthroughSubject<String, Never>()
    numbers.combineLatest(letters) { "\($0)\($1)" }.subscribe(recorder)
    for number in [0, 1] { numbers.send(number) }
    letters.send("a")
    numbers.send(2)
    for letter in ["b", "c"] { letters.send(letter) }
    #expect(recorder.history == [.subscription("CombineLatest")] + ["1a", "2a", "2b", "2c"].map { .value($0) })
  }

  @Test(arguments: 2...4) func aTupleNeedsAValueOfEach(_ arity: Int) {
    let streams = subscribe(arity: arity, .unlimited)
    for (number, stream) in streams.enumerated() {
      #expect(recorder.values == [])
      #expect(stream.send(1 << number) == .none)
      #expect(stream.subscriber?.description == "CombineLatest")
    }
    streams[0].send(16)
    #expect(recorder.history == [.subscription("CombineLatest"), .value(1 << arity - 1), .value(1 << arity + 14)])
  }

  @Test func theTuplesOfEachArityAreInOrder() {
    let two = RecordingSubscriber<String, Never>(.unlimited)
    let three = RecordingSubscriber<String, Never>(.unlimited)
    let four = RecordingSubscriber<String, Never>(.unlimited)
    [1, 2, 3].publisher.combineLatest(["a", "b"].publisher).map { "\($0)\($1)" }.subscribe(two)
    Just(1).combineLatest(Just("b"), Just(2.5)).map { "\($0) \($1) \($2)" }.subscribe(three)
    Just(1).combineLatest(Just("b"), Just(2.5), Just(true)).map { "\($0) \($1) \($2) \($3)" }.subscribe(four)
    #expect(two.history == [.subscription("CombineLatest"), .value("3a"), .value("3b"), .completion(.finished)])
    #expect(three.values == ["1 b 2.5"])
    #expect(four.values == ["1 b 2.5 true"])
  }

  @Test func thoseOfEqualPublishersAreEqual() {
    #expect(Just(1).combineLatest(Just(2)) == Publishers.CombineLatest(Just(1), Just(2)))
    #expect(Just(1).combineLatest(Just(2)) != Just(1).combineLatest(Just(3)))
    #expect(Just(1).combineLatest(Just(2), Just(3)) == Publishers.CombineLatest3(Just(1), Just(2), Just(3)))
    let four = Just(1).combineLatest(Just(2), Just(3), Just(4))
    #expect(four == Publishers.CombineLatest4(Just(1), Just(2), Just(3), Just(4)))
    #expect(four != Just(1).combineLatest(Just(2), Just(3), Just(5)))
  }

  // MARK: Subscription

  @Test func sendsItsSubscriptionWhenAllStreamsHave() {
    let a = Source()
    let b = Source(nil)
    a.combineLatest(b) { $0 + $1 }.subscribe(recorder)
    #expect(recorder.history == [])
    b.send(subscription: RecordingSubscription())
    #expect(recorder.history == [.subscription("CombineLatest")])
  }

  @Test func failsBeforeAllSubscriptionsHaveCome() {
    let a = Source()
    let b = Source(nil)
    a.combineLatest(b) { $0 + $1 }.subscribe(recorder)
    a.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("Empty"), .completion(.failure(.first))])
    let late = RecordingSubscription()
    b.send(subscription: late)
    #expect(late.history == [.cancelled])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber(Subscribers.Demand.none, of: Int.self, failingWith: Never.self)
      Just(1).combineLatest(Just(2)) { $0 + $1 }.subscribe(recorder)
    }
  }

  // MARK: Demand

  @Test(arguments: [Subscribers.Demand.unlimited, .max(1)])
  func passesEachDemandUnchangedToEveryStream(_ demand: Subscribers.Demand) {
    let streams = subscribe(demand)
    for stream in streams { #expect(stream.send(1) == .none) }
    recorder.request(.max(2))
    for stream in streams {
      #expect(stream.subscription?.history == [.requested(demand), .requested(.max(2))])
    }
  }

  @Test func eachUnitBringsOneTupleAndAValueWithoutDemandReplacesTheFormer() {
    let streams = subscribe(.max(1))
    streams[0].send(10)
    streams[1].send(1)
    streams[0].send(20)
    streams[1].send(2)
    #expect(recorder.values == [11])
    // What was missed is not made up for.
    recorder.request(.max(2))
    #expect(recorder.values == [11])
    streams[1].send(3)
    streams[0].send(30)
    streams[0].send(40)
    #expect(recorder.values == [11, 23, 33])
  }

  @Test func returnedDemandIsAskedOfEveryStreamAndNeverAnAnswer() {
    let streams = subscribe(arity: 3, .max(1))
    recorder.demandPerValue = { $0 == 3 ? .max(2) : .none }
    for _ in 0..<5 {
      for stream in streams { #expect(stream.send(1) == .none) }
    }
    #expect(recorder.values == [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3])
    for stream in streams {
      #expect(
        stream.subscription?.history == [.requested(.max(1))]
          + Array(repeating: .requested(.max(2)), count: 13))
    }
  }

  @Test func deliversAsMuchAsWasAskedFor() {
    let streams = subscribe(.max(10))
    let more: Set = [0, 10]
    var received = 0
    recorder.demandPerValue = { _ in
      defer { received += 1 }
      return more.contains(received) ? .max(1) : .none
    }
    for value in 0..<100 { streams[value % 2].send(value) }
    #expect(recorder.values.count == 12)
  }

  // MARK: End

  @Test(arguments: 2...4) func finishesWhenAllHaveFinished(_ arity: Int) {
    let streams = subscribe(arity: arity, .unlimited)
    for stream in streams { stream.send(1) }
    for stream in streams.dropLast() {
      stream.send(completion: .finished)
      stream.send(5)
      stream.send(completion: .failure(.first))
    }
    streams[arity - 1].send(100)
    #expect(recorder.completions == [])
    streams[arity - 1].send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("CombineLatest"), .value(arity), .value(arity + 99), .completion(.finished),
      ])
    for stream in streams { #expect(stream.subscription?.history == [.requested(.unlimited)]) }
  }

  @Test func aStreamWithoutValuesDoesNotEndTheOthers() {
    let streams = subscribe(.unlimited)
    streams[0].send(completion: .finished)
    streams[1].send(1)
    #expect(recorder.history == [.subscription("CombineLatest")])
    streams[1].send(completion: .finished)
    #expect(recorder.history == [.subscription("CombineLatest"), .completion(.finished)])
  }

  @Test(arguments: 2...4) func aFailureCancelsAllStreams(_ arity: Int) {
    let streams = subscribe(arity: arity, .unlimited)
    for stream in streams { stream.send(1) }
    streams[0].send(completion: .failure(.first))
    streams[1].send(1)
    streams[1].send(completion: .failure(.second))
    #expect(recorder.history == [.subscription("CombineLatest"), .value(arity), .completion(.failure(.first))])
    for stream in streams { #expect(stream.subscription?.history == [.requested(.unlimited), .cancelled]) }
  }

  // MARK: Re-entrance

  @Test func acceptsAValueWithinADelivery() {
    let streams = subscribe(.unlimited)
    recorder.onValue = { if $0 == 11 { #expect(streams[0].send(20) == .none) } }
    streams[0].send(10)
    #expect(streams[1].send(1) == .none)
    #expect(streams[1].send(2) == .none)
    #expect(recorder.values == [11, 21, 22])
  }

  @Test func acceptsAnEndWithinADelivery() {
    let streams = subscribe(.unlimited)
    recorder.onValue = { _ in streams[1].send(completion: .failure(.second)) }
    streams[0].send(1)
    streams[1].send(1)
    streams[0].send(2)
    #expect(recorder.history == [.subscription("CombineLatest"), .value(2), .completion(.failure(.second))])
  }

  @Test func aReplacedValueMayComeBackWhenItIsFreed() {
    final class Talkative {
      let number: Int
      let atEnd: () -> Void
      init(_ number: Int, _ atEnd: @escaping () -> Void = {}) { (self.number, self.atEnd) = (number, atEnd) }
      deinit { atEnd() }
    }
    let values = PassthroughSubject<Talkative, TestFailure>()
    values.combineLatest(Just(0).setFailureType(to: TestFailure.self)) { value, _ in value.number }.subscribe(recorder)
    recorder.request(.unlimited)
    values.send(Talkative(1) { values.send(Talkative(10)) })
    values.send(Talkative(2) { [recorder] in recorder.cancel() })
    values.send(Talkative(3))
    values.send(Talkative(4))
    #expect(recorder.values == [1, 2, 10])
  }

  /// The request that followed from the delivery was forgotten.
  @Test func whatAFreedValueSendsTakesNoRequestAway() {
    final class Talkative {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void = {}) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let values = ScriptedPublisher(of: Talkative.self, failingWith: TestFailure.self)
    let numbers = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(2))
    recorder.demandPerValue = { $0 == 2 ? .max(5) : .max(1) }
    values.combineLatest(numbers) { $1 }.subscribe(recorder)
    numbers.send(1)
    values.send(Talkative { numbers.send(3) })
    numbers.send(2)
    values.send(Talkative())
    #expect(recorder.values.first == 1)
    let asked = values.subscription?.history.reduce(0) { sum, event in
      if case .requested(let demand) = event { sum + (demand.max ?? 0) } else { sum }
    }
    let given = recorder.values.reduce(2) { $0 + ($1 == 2 ? 5 : 1) }
    #expect(asked == given, "each stream is asked for whatever the subscriber asks for: \(recorder.values)")
    recorder.cancel()
  }
}
