// Tests of prefix, output(at:) and output(in:).

import TestKit
import Testing
import Weir

@Suite struct OutputTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(perValue: .max(42))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func passesAWindowAndEndsWithItsLastValue() {
    publisher.output(in: 2..<4).subscribe(recorder)
    recorder.request(.max(31))
    #expect([1, 2, 3].map { publisher.send($0) } == [.max(1), .max(1), .max(42)])
    #expect(upstream.history == [.requested(.max(31))])
    #expect([4, 5].map { publisher.send($0) } == [.max(42), .none])
    #expect(recorder.history == [.subscription("Output"), .value(3), .value(4), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(31)), .cancelled])
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.completions == [.finished])
    #expect(upstream.history == [.requested(.max(31)), .cancelled])
  }

  @Test func nothingEndsAtTheFirstValue() {
    publisher.prefix(0).subscribe(recorder)
    #expect(recorder.history == [.subscription("Output")])
    #expect(publisher.send(1) == .none)
    #expect(recorder.history == [.subscription("Output"), .completion(.finished)])
    #expect(upstream.history == [.cancelled])
  }

  @Test func countsValuesAfterTheEndToo() {
    publisher.output(in: 1..<3).subscribe(recorder)
    publisher.send(completion: .failure(.first))
    publisher.send(completion: .finished)
    #expect((1...5).map { publisher.send($0) } == [.max(1), .max(42), .max(42), .none, .none])
    #expect(recorder.history == [.subscription("Output"), .completion(.failure(.first)), .value(2), .value(3)])
    #expect(upstream.history == [])
  }

  @Test func passesValuesBeforeTheSubscription() {
    publisher.subscription = nil
    publisher.output(in: 1..<3).subscribe(recorder)
    publisher.send(completion: .failure(.first))
    #expect((1...4).map { publisher.send($0) } == [.max(1), .max(42), .max(42), .none])
    #expect(recorder.history == [.value(2), .value(3)])
    let late = RecordingSubscription()
    publisher.send(subscription: late)
    #expect(publisher.send(6) == .none)
    #expect(recorder.history == [.value(2), .value(3), .subscription("Output"), .completion(.finished)])
    #expect(late.history == [.cancelled])
  }

  @Test func stopsASequence() {
    recorder.initialDemand = .unlimited
    var made: [Int] = []
    Publishers.Sequence<[Int], TestFailure>(sequence: [1, 2, 3]).eraseToAnyPublisher().map { value -> Int in
      made.append(value)
      return value
    }.prefix(2).subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.finished])
    #expect(made == [1, 2])
  }

  @Test func aNestedValueTakesItsPlace() {
    let subject = PassthroughSubject<Int, TestFailure>()
    recorder.initialDemand = .unlimited
    recorder.onValue = { if $0 == 1 { subject.send(2) } }
    subject.prefix(2).subscribe(recorder)
    for value in [1, 3] { subject.send(value) }
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.finished])
  }

  @Test func rangesMeanPositions() {
    #expect(publisher.prefix(89).range == 0..<89)
    #expect(publisher.prefix(.max).range == 0..<(.max))
    #expect(publisher.output(at: 89).range == 89..<90)
    #expect(publisher.output(in: ..<8).range == 0..<8)
    #expect(publisher.output(in: ...8).range == 0..<9)
    #expect(publisher.output(in: 8...).range == 8..<(.max))
    #expect(publisher.output(in: .max...).range == .max..<(.max))
    #expect(publisher.output(in: 4...5).range == 4..<6)
  }

  @Test func trapsOnNegativePositions() async {
    await #expect(processExitsWith: .failure) { _ = PassthroughSubject<Int, Never>().prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = PassthroughSubject<Int, Never>().output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = PassthroughSubject<Int, Never>().output(at: .max) }
    await #expect(processExitsWith: .failure) { _ = PassthroughSubject<Int, Never>().output(in: (-1)...) }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.Output(upstream: PassthroughSubject<Int, Never>(), range: -1..<4)
    }
  }

  @Test func showsNothing() {
    publisher.prefix(1).subscribe(recorder)
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func areEqualIfUpstreamAndRangeAre() {
    #expect(
      Publishers.Output(upstream: Just(1), range: 0..<2) == Publishers.Output(upstream: Just(1), range: 0..<2))
    #expect(
      Publishers.Output(upstream: Just(1), range: 0..<2) != Publishers.Output(upstream: Just(1), range: 0..<3))
  }

  @Test func freesTheDownstreamWithTheLastValue() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, TestFailure>()
    func sink() -> AnyCancellable {
      let tracked = lifetimes.track()
      return subject.prefix(1).sink(receiveCompletion: { _ in tracked.touch() }, receiveValue: { _ in })
    }
    let cancellable = sink()
    subject.send(1)
    #expect(lifetimes.live == 0)
    withExtendedLifetime(cancellable) {}
  }
}
