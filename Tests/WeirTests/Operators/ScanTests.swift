// Tests of scan and tryScan.

import TestKit
import Testing
import Weir

@Suite struct ScanTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(2), perValue: .max(4))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func publishesEachResultAndReturnsTheDemand() {
    publisher.scan(0) { $0 + $1 * 2 }.subscribe(recorder)
    #expect([2, 3, 4, 5].map { publisher.send($0) } == [.max(4), .max(4), .max(4), .max(4)])
    publisher.send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value(4), .value(10), .value(18), .value(28), .completion(.finished),
      ])
    #expect(upstream.history == [.requested(.max(2))])
  }

  @Test func goesOnBlindlyAfterTheEnd() {
    publisher.scan(0, +).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.first))
    #expect(publisher.send(2) == .max(4))
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value(1), .completion(.failure(.first)), .value(3),
      ])
  }

  @Test func eachSubscriberStartsFromTheInitialResult() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let sums = subject.scan(10, +)
    let second = RecordingSubscriber<Int, TestFailure>(.unlimited)
    sums.subscribe(recorder)
    subject.send(1)
    sums.subscribe(second)
    subject.send(2)
    #expect(recorder.values == [11, 13])
    #expect(second.values == [12])
  }

  /// The closure of the outer value was given the result from before the inner one, and its own result stays.
  @Test func acceptsAValueFromWithinItsClosure() {
    let subject = PassthroughSubject<Int, TestFailure>()
    subject.scan(0) { result, value in
      if value == 1 { subject.send(10) }
      return result + value
    }.subscribe(recorder)
    recorder.request(.unlimited)
    for value in [5, 1, 2] { subject.send(value) }
    #expect(recorder.values == [5, 15, 6, 8])
  }

  @Test func aCarriedArrayIsNotSharedWithAnInnerValue() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    subject.scan([]) { result, value in
      if value == 1 { subject.send(10) }
      return result + [value]
    }.subscribe(recorder)
    for value in [0, 1, 2] { subject.send(value) }
    #expect(recorder.values == [[0], [0, 10], [0, 1], [0, 1, 2]])
  }

  @Test func showsItsResult() {
    publisher.scan(5, +).subscribe(recorder)
    publisher.send(1)
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["downstream", "result"])
    #expect(children?.map(\.1) == ["RecordingSubscriber", "6"])
    #expect(publisher.subscriber?.description == "Scan")
  }

  @Test func freesItsResultAtTheEnd() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    let cancellable = subject.scan(lifetimes.track()) { _, value in lifetimes.track(value) }
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    subject.send(1)
    #expect(lifetimes.live == 1)
    subject.send(completion: .finished)
    #expect(lifetimes.live == 0)
    withExtendedLifetime(cancellable) {}
  }

  // MARK: tryScan

  private let failing = RecordingSubscriber<Int, any Error>(.unlimited, perValue: .max(3))

  @Test func tryScanEndsTheStreamWithItsError() {
    var calls = 0
    publisher.tryScan(0) { _, value in
      calls += 1
      if value == 100 { throw TestFailure.second }
      return value * 2
    }.subscribe(failing)
    #expect([2, 3, 100].map { publisher.send($0) } == [.max(3), .max(3), .none])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    // An upstream that goes on nevertheless: values pass, as in Combine, but the stream ends only once.
    #expect([9, 100].map { publisher.send($0) } == [.max(3), .none])
    publisher.send(completion: .finished)
    #expect(
      failing.events == [
        .subscription("TryScan"), .value(4), .value(6), .completion(.failure(.second)), .value(18),
      ])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    #expect(calls == 5)
  }

  @Test func tryScanKeepsTheResultFromBeforeTheError() {
    publisher.tryScan(1) { result, value in
      if value == 0 { throw TestFailure.first }
      return result * value
    }.subscribe(failing)
    for value in [2, 3] { publisher.send(value) }
    publisher.send(0)
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["downstream", "status", "result"])
    #expect(children?.last?.1 == "6")
    #expect(failing.events == [.subscription("TryScan"), .value(2), .value(6), .completion(.failure(.first))])
  }

  @Test func tryScanPassesOnTheUpstreamsFailure() {
    publisher.tryScan(0, +).subscribe(failing)
    publisher.send(completion: .failure(.first))
    #expect(failing.events == [.subscription("TryScan"), .completion(.failure(.first))])
  }
}
