// Tests of the subscriber of operators that carry something.

import TestKit
import Testing
import Weir

/// Publishes pairs, skips zeros, fails at negative numbers, finishes at 50, ends with 60,
/// and flushes what is left over.
private struct PairPolicy: StagePolicy {
  typealias Input = Int
  typealias Carry = Int?
  typealias UpstreamFailure = TestFailure
  typealias Failure = any Error

  static var name: StaticString { "Pair" }
  static var strays: Strays { .refuses }
  var scale: Int { 2 }

  func step(_ input: Int, _ carrier: some Carrier<Int?>) -> Step<[Int], any Error> {
    if input == 0 { return .skip }
    if input < 0 { return .fail(TestFailure.second) }
    if input == 50 { return .finish }
    if input == 60 { return .last([input]) }
    guard let first = carrier.carry else {
      carrier.carry = input
      return .hold
    }
    carrier.carry = nil
    return .emit([first, input])
  }

  func flush(_ carrier: some Carrier<Int?>) -> [Int]? { carrier.carry.map { [$0] } }
}

@Suite struct StageSubscriberTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<[Int], any Error>(.max(3), perValue: .max(5))
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func attach() { publisher.subscribe(StageSubscriber(PairPolicy(), carrying: nil, to: recorder)) }

  @Test func doesWhatItsStageSaysAndScalesDemand() {
    attach()
    #expect(upstream.history == [.requested(.max(6))])
    #expect([1, 0, 2, 3].map { publisher.send($0) } == [.none, .max(1), .max(10), .none])
    recorder.request(.max(2))
    #expect(upstream.history == [.requested(.max(6)), .requested(.max(4))])
    publisher.send(completion: .finished)
    #expect(
      recorder.events == [.subscription("Pair"), .value([1, 2]), .value([3]), .completion(.finished)])
  }

  @Test func anErrorOfTheStageEndsTheStreamWithoutAFlush() {
    attach()
    #expect([1, -1, 2].map { publisher.send($0) } == [.none, .none, .none])
    publisher.send(completion: .finished)
    #expect(upstream.history == [.requested(.max(6)), .cancelled])
    #expect(recorder.events == [.subscription("Pair"), .completion(.failure(.second))])
  }

  @Test func aStageMayFinishTheStreamAndIsFlushedThen() {
    attach()
    #expect([1, 50, 50, 2].map { publisher.send($0) } == [.none, .none, .none, .none])
    publisher.send(completion: .failure(.first))
    #expect(upstream.history == [.requested(.max(6)), .cancelled])
    #expect(recorder.events == [.subscription("Pair"), .value([1]), .completion(.finished)])
  }

  @Test func aStageMayEndTheStreamWithAValueAndReturnsItsDemand() {
    attach()
    #expect([60, 60].map { publisher.send($0) } == [.max(5), .none])
    #expect(upstream.history == [.requested(.max(6)), .cancelled])
    #expect(recorder.events == [.subscription("Pair"), .value([60]), .completion(.finished)])
  }

  @Test func aStageThatFinishesAfterACancellationIsNotFlushed() {
    attach()
    recorder.onValue = { [recorder] _ in recorder.cancel() }
    publisher.send(60)
    #expect(upstream.history == [.requested(.max(6)), .cancelled])
    #expect(recorder.events == [.subscription("Pair"), .value([60])])
  }

  @Test func anErrorOfTheUpstreamIsConvertedAndDropsWhatIsCarried() {
    attach()
    publisher.send(1)
    publisher.send(completion: .failure(.first))
    #expect(recorder.events == [.subscription("Pair"), .completion(.failure(.first))])
  }

  @Test func aCancellationFromWithinTheFlushedValueDoesNotStopTheEnd() {
    attach()
    recorder.onValue = { [recorder] _ in recorder.cancel() }
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("Pair"), .value([1]), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(6))])
  }

  @Test func aKeptSubscriptionKeepsNothingElseAlive() {
    let lifetimes = Lifetimes()
    var subscription: (any Subscription)?
    do {
      let tracked = lifetimes.track()
      let recorder = RecordingSubscriber<[Int], any Error>(.unlimited)
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { subscription = $0 }
      recorder.onValue = { _ in tracked.touch() }
      publisher.subscribe(StageSubscriber(PairPolicy(), carrying: nil, to: recorder))
    }
    publisher.send(1)
    publisher.forgetSubscriber()
    #expect(lifetimes.live == 0)
    subscription?.request(.max(1))
    subscription?.cancel()
    #expect(upstream.history == [.requested(.unlimited), .requested(.max(2)), .cancelled])
  }
}
