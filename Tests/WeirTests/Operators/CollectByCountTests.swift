// Tests of collect(_ count:).

import TestKit
import Testing
import Weir

@Suite struct CollectByCountTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func gathersArraysAndMultipliesDemand() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(2), perValue: .max(3))
    publisher.collect(4).subscribe(recorder)
    #expect(upstream.history == [.requested(.max(8))])
    #expect((1...4).map { publisher.send($0) } == [.none, .none, .none, .max(12)])
    #expect((5...10).map { publisher.send($0) } == [.none, .none, .none, .max(12), .none, .none])
    publisher.send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("CollectByCount"), .value([1, 2, 3, 4]), .value([5, 6, 7, 8]), .value([9, 10]),
        .completion(.finished),
      ])
    #expect(upstream.history == [.requested(.max(8))])
  }

  @Test func unlimitedDemandStaysUnlimited() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited, perValue: .unlimited)
    publisher.collect(2).subscribe(recorder)
    #expect(upstream.history == [.requested(.unlimited)])
    #expect([1, 2].map { publisher.send($0) } == [.none, .unlimited])
  }

  @Test func aFailureDropsWhatWasGathered() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    publisher.collect(4).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.first))
    publisher.send(completion: .finished)
    #expect(
      recorder.history == [.subscription("CollectByCount"), .completion(.failure(.first)), .completion(.finished)])
  }

  @Test func anEndWithNothingGatheredHasNoArray() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    publisher.collect(2).subscribe(recorder)
    for value in [1, 2] { publisher.send(value) }
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("CollectByCount"), .value([1, 2]), .completion(.finished)])
  }

  @Test func aCancellationDropsWhatWasGathered() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    publisher.collect(4).subscribe(recorder)
    publisher.send(1)
    recorder.cancel()
    #expect(publisher.send(2) == .none)
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("CollectByCount"), .completion(.finished)])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func aLimitedSubscriberOfASequenceGetsItsNumberOfArrays() {
    let recorder = RecordingSubscriber<[Int], Never>(.max(2))
    (1...9).publisher.map { $0 }.collect(3).subscribe(recorder)
    #expect(recorder.values == [[1, 2, 3], [4, 5, 6]])
    recorder.request(.max(1))
    #expect(recorder.values == [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    #expect(recorder.completions == [.finished])
  }

  @Test func arraysLongerThanTheReservedStorageAreComplete() {
    let recorder = RecordingSubscriber<[Int], Never>(.unlimited)
    (0..<2000).publisher.map { $0 }.collect(700).subscribe(recorder)
    #expect(recorder.values == [Array(0..<700), Array(700..<1400), Array(1400..<2000)])
  }

  @Test func acceptsAValueFromWithinTheDeliveryOfAnArray() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    recorder.onValue = { if $0 == [1, 2] { subject.send(3) } }
    subject.collect(2).subscribe(recorder)
    for value in [1, 2, 4, 5] { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.values == [[1, 2], [3, 4], [5]])
  }

  @Test func freesWhatWasGathered() {
    for ending in 0..<3 {
      let lifetimes = Lifetimes()
      let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
      let cancellable = subject.collect(2).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      for number in 0..<3 { subject.send(lifetimes.track(number)) }
      #expect(lifetimes.live == 1)
      switch ending {
      case 0: cancellable.cancel()
      case 1: subject.send(completion: .failure(.first))
      default: subject.send(completion: .finished)
      }
      #expect(lifetimes.live == 0)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func showsWhatItGathered() {
    publisher.collect(53).subscribe(RecordingSubscriber<[Int], TestFailure>(.unlimited))
    publisher.send(1)
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["downstream", "upstreamSubscription", "buffer", "count"])
    #expect(children?.map(\.1) == ["RecordingSubscriber", "Optional(RecordingSubscription)", "[1]", "53"])
  }

  @Test func isEqualToTheSameOfAnEqualPublisher() {
    #expect([1, 2].publisher.collect(2) == [1, 2].publisher.collect(2))
    #expect([1, 2].publisher.collect(2) != [1, 2].publisher.collect(3))
    #expect([1, 2].publisher.collect(2) != [1].publisher.collect(2))
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      publisher.collect(2).subscribe(RecordingSubscriber<[Int], TestFailure>(.some(.none)))
    }
  }
}
