// Tests of removeDuplicates and tryRemoveDuplicates.

import TestKit
import Testing
import Weir

@Suite struct RemoveDuplicatesTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(2), perValue: .max(4))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func dropsEqualNeighboursAndAsksForOneMore() {
    publisher.removeDuplicates().subscribe(recorder)
    #expect([1, 2, 2, 50, 50, 2].map { publisher.send($0) } == [.max(4), .max(4), .max(1), .max(4), .max(1), .max(4)])
    publisher.send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("RemoveDuplicates"), .value(1), .value(2), .value(50), .value(2), .completion(.finished),
      ])
    #expect(upstream.history == [.requested(.max(2))])
  }

  @Test func comparesWithTheValueBeforeAlsoIfThatWasDropped() {
    var calls: [[Int]] = []
    publisher.removeDuplicates { last, value in
      calls.append([last, value])
      return last >= value
    }.subscribe(recorder)
    for value in [1, 2, 2, 50, 30, 40, -1] { publisher.send(value) }
    #expect(recorder.values == [1, 2, 50, 40])
    #expect(calls == [[1, 2], [2, 2], [2, 50], [50, 30], [30, 40], [40, -1]])
  }

  @Test func aMissingValueIsAValue() {
    let publisher = ScriptedPublisher(of: Int?.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Int?, TestFailure>(.unlimited)
    publisher.removeDuplicates().subscribe(recorder)
    for value in [nil, nil, 1, 1, nil] { publisher.send(value) }
    #expect(recorder.values == [nil, 1, nil])
  }

  /// A value that is compared while the comparison before is still running is compared with the newer one.
  @Test func acceptsAValueFromWithinTheComparisonOfTheUsersType() {
    struct Talkative: Equatable {
      var number: Int
      var isCompared: () -> Void = {}
      static func == (lhs: Talkative, rhs: Talkative) -> Bool {
        rhs.isCompared()
        return lhs.number == rhs.number
      }
    }
    let subject = PassthroughSubject<Talkative, TestFailure>()
    let recorder = RecordingSubscriber<Talkative, TestFailure>(.unlimited)
    subject.removeDuplicates().subscribe(recorder)
    subject.send(Talkative(number: 1))
    subject.send(
      Talkative(number: 2) {
        subject.send(Talkative(number: 2))
        subject.send(Talkative(number: 3))
      })
    subject.send(Talkative(number: 3))
    subject.send(Talkative(number: 2))
    #expect(recorder.values.map(\.number) == [1, 3, 2, 2])
  }

  @Test func eachSubscriberHasItsOwnLastValue() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let distinct = subject.removeDuplicates()
    let second = RecordingSubscriber<Int, TestFailure>(.unlimited)
    distinct.subscribe(recorder)
    subject.send(1)
    distinct.subscribe(second)
    subject.send(1)
    #expect(recorder.values == [1])
    #expect(second.values == [1])
  }

  @Test func showsItsLastValue() {
    publisher.removeDuplicates().subscribe(recorder)
    publisher.send(7)
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["downstream", "last"])
    #expect(children?.map(\.1) == ["RecordingSubscriber", "Optional(7)"])
  }

  @Test func freesItsLastValueAtTheEnd() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
    let cancellable = subject.removeDuplicates().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    subject.send(lifetimes.track(1))
    subject.send(lifetimes.track(2))
    #expect(lifetimes.live == 1)
    cancellable.cancel()
    #expect(lifetimes.live == 0)
  }

  @Test func trapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.removeDuplicates().subscribe(RecordingSubscriber<Int, TestFailure>())
      publisher.send(1)
    }
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.removeDuplicates().subscribe(RecordingSubscriber<Int, TestFailure>())
      publisher.send(completion: .finished)
    }
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      publisher.removeDuplicates().subscribe(RecordingSubscriber<Int, TestFailure>(.some(.none)))
    }
  }

  // MARK: tryRemoveDuplicates

  private let failing = RecordingSubscriber<Int, any Error>(.max(3), perValue: .max(10))

  @Test func tryRemoveDuplicatesEndsTheStreamWithItsError() {
    var calls = 0
    publisher.tryRemoveDuplicates { last, value in
      calls += 1
      if value == 42 { throw TestFailure.first }
      return last == value
    }.subscribe(failing)
    #expect([1, 2, 2, 3].map { publisher.send($0) } == [.max(10), .max(10), .max(1), .max(10)])
    #expect([42, 42, 43].map { publisher.send($0) } == [.none, .none, .none])
    publisher.send(completion: .finished)
    failing.request(.max(1000))
    failing.cancel()
    #expect(
      failing.events == [
        .subscription("TryRemoveDuplicates"), .value(1), .value(2), .value(3), .completion(.failure(.first)),
      ])
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
    #expect(calls == 4)
  }

  @Test func tryRemoveDuplicatesPassesOnTheUpstreamsEnd() {
    publisher.tryRemoveDuplicates(by: ==).subscribe(failing)
    publisher.send(42)
    publisher.send(completion: .failure(.second))
    #expect(failing.events == [.subscription("TryRemoveDuplicates"), .value(42), .completion(.failure(.second))])
    #expect(publisher.subscriber?.customMirror.children.compactMap(\.label) == ["downstream", "last"])
  }

  @Test func tryRemoveDuplicatesTrapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.tryRemoveDuplicates(by: ==).subscribe(RecordingSubscriber<Int, any Error>())
      publisher.send(1)
    }
  }
}
