// Tests of the subscriber that holds back the end of a stream, and of its subscription.

import TestKit
import Testing
import Weir

/// Passes even numbers on, drops 1, ends with 3, finishes at 5, fails at 7; flushes what it has seen.
private struct OddPolicy: DuePolicy, ThrowingPolicy {
  typealias Closure = TryingPredicate<Int, TestFailure>
  typealias Carry = Int

  static var name: StaticString { "Odd" }
  static var pull: DemandPolicy { .everythingAndDemand }

  func step(_ input: Int, _ carrier: some Carrier<Int>) -> Step<Int, any Error> {
    carrier.carry += 1
    switch input {
    case 1: return .skip
    case 3: return .last(input)
    case 5: return .finish
    case 7: return .fail(TestFailure.second)
    default: return .emit(input)
    }
  }

  func flush(_ carrier: some Carrier<Int>) -> Int? { carrier.carry * 100 }

  func conclude(
    _ completion: Subscribers.Completion<TestFailure>, _ carrier: some Carrier<Int>
  ) -> Conclusion<Int, any Error> {
    switch completion {
    case .finished: .due(nil)
    case .failure(let failure): .now(.failure(failure))
    }
  }
}

@Suite struct DueSubscriberTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, any Error>(perValue: .max(5))
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func attach() { publisher.subscribe(DueSubscriber(OddPolicy(), carrying: 0, to: recorder)) }

  @Test func passesOnWhatItsStageSays() {
    attach()
    recorder.request(.max(2))
    #expect([1, 2].map { publisher.send($0) } == [.max(1), .max(5)])
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("Odd"), .value(2), .completion(.finished)])
    #expect(upstream.history == [.requested(.unlimited), .requested(.max(2))])
  }

  @Test func aLastValueWaitsForDemand() {
    attach()
    #expect(publisher.send(3) == .none)
    #expect(recorder.events == [.subscription("Odd")])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Odd"), .value(3), .completion(.finished)])
  }

  @Test func aFinishFlushes() {
    attach()
    for value in [2, 5, 5] { publisher.send(value) }
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Odd"), .value(2), .value(200), .completion(.finished)])
  }

  @Test func anErrorDoesNotWait() {
    attach()
    publisher.send(7)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Odd"), .completion(.failure(.second))])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func aWaitingEndKeepsTheDownstreamAliveUntilItIsDeliveredOrCancelled() {
    let lifetimes = Lifetimes()
    for isCancelled in [true, false] {
      var subscription: (any Subscription)?
      do {
        let tracked = lifetimes.track()
        let recorder = RecordingSubscriber<Int, any Error>()
        recorder.keepsSubscriptions = false
        recorder.onSubscription = { subscription = $0 }
        recorder.onCompletion = { _ in tracked.touch() }
        publisher.subscribe(DueSubscriber(OddPolicy(), carrying: 0, to: recorder))
      }
      publisher.send(completion: .finished)
      publisher.forgetSubscriber()
      #expect(lifetimes.live == 1)
      if isCancelled { subscription?.cancel() } else { subscription?.request(.max(1)) }
      #expect(lifetimes.live == 0)
    }
  }

  @Test func aSubscriptionTrapsOnNoDemand() async {
    await #expect(processExitsWith: .failure) { DueLink(name: "Due", forwardsDemand: false).request(.none) }
  }

  @Test func aSubscriptionThatDoesNotForwardAsksForNothing() {
    let link = DueLink(name: "Due", forwardsDemand: false)
    let upstream = RecordingSubscription()
    #expect(link.connect(upstream))
    link.request(.max(3))
    link.cancel()
    #expect(upstream.history == [.cancelled])
    #expect(link.description == "Due")
  }
}
