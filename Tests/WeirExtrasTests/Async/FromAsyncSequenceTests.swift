// Tests of `fromAsyncSequence`.

import TestKit
import Testing
import Weir
import WeirExtras

/// Counts up, and tells how often it was asked.
private struct Counting: AsyncSequence, AsyncIteratorProtocol {
  typealias Element = Int
  let end: Int
  let made: Counter
  let asked: Counter
  var fails = false
  var number = 0

  func makeAsyncIterator() -> Counting {
    made.add()
    return self
  }

  mutating func next() async throws -> Int? {
    asked.add()
    await Task.yield()
    guard number < end else {
      if fails { throw TestFailure.first }
      return nil
    }
    number += 1
    return number
  }
}

/// Counts up in storage that copies share, and tells how often it would have had to copy that.
private struct CopyingOnWrite: AsyncSequence, AsyncIteratorProtocol {
  final class Storage { var number = 0 }

  typealias Element = Int
  let end: Int
  let copies: Counter
  var storage = Storage()

  func makeAsyncIterator() -> CopyingOnWrite { CopyingOnWrite(end: end, copies: copies) }

  mutating func next() async throws -> Int? {
    if !isKnownUniquelyReferenced(&storage) { copies.add() }
    guard storage.number < end else { return nil }
    storage.number += 1
    return storage.number
  }
}

@Suite struct FromAsyncSequenceTests {
  private let made = Counter()
  private let asked = Counter()
  private let lifetimes = Lifetimes()

  private func publisher(_ end: Int, fails: Bool = false) -> AnyPublisher<Int, any Error> {
    AnyPublisher.fromAsyncSequence(Counting(end: end, made: made, asked: asked, fails: fails))
  }

  /// The commonly copied version started at once, and lost what came before the first subscriber.
  @Test func startsAnewForEachSubscriberAndLosesNothing() async throws {
    let sequence = publisher(5)
    for _ in 0..<20 { await Task.yield() }
    #expect(made.value == 0)
    #expect(try await sequence.collectValues() == [1, 2, 3, 4, 5])
    #expect(try await sequence.collectValues() == [1, 2, 3, 4, 5])
    #expect(made.value == 2)
  }

  @Test func takesOneElementPerUnitOfDemand() async {
    let received = Log<Int>()
    let recorder = RecordingSubscriber<Int, any Error>()
    recorder.onValue = { received.add($0) }
    publisher(9).subscribe(recorder)
    for _ in 0..<20 { await Task.yield() }
    #expect(asked.value == 0)
    recorder.request(.max(1))
    recorder.request(.max(1))
    await untilTrue { received.all == [1, 2] }
    for _ in 0..<50 { await Task.yield() }
    #expect(asked.value == 2)
    recorder.request(.max(3))
    await untilTrue { received.all == [1, 2, 3, 4, 5] }
    for _ in 0..<50 { await Task.yield() }
    #expect(asked.value == 5)
    recorder.cancel()
  }

  @Test func theIteratorIsNotCopied() async throws {
    let copies = Counter()
    let elements = AnyPublisher.fromAsyncSequence(CopyingOnWrite(end: 4, copies: copies))
    #expect(try await elements.collectValues() == [1, 2, 3, 4])
    #expect(copies.value == 0)
  }

  @Test func demandMayComeBackWithEachValue() async {
    let received = Log<Int>()
    let ended = Counter()
    let recorder = RecordingSubscriber<Int, any Error>(perValue: .max(1))
    recorder.onValue = { received.add($0) }
    recorder.onCompletion = { _ in ended.add() }
    publisher(50).subscribe(recorder)
    recorder.request(.max(1))
    await untilTrue { ended.value == 1 }
    #expect(received.all == Array(1...50))
  }

  @Test func passesAnErrorOnBehindTheElements() async {
    let received = Log<String>()
    let cancellable = publisher(2, fails: true).sink(
      receiveCompletion: { received.add("\($0)") }, receiveValue: { received.add("\($0)") })
    await untilTrue { received.all.count == 3 }
    #expect(received.all == ["1", "2", "failure(TestKit.TestFailure.first)"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func cancellingCancelsTheTaskAndFreesTheIterator() async {
    let (started, cancelled) = (Counter(), Counter())
    do {
      let tracked = lifetimes.track()
      let stream = AsyncStream<Int> {
        tracked.touch()
        started.add()
        await untilCancelled()
        cancelled.add()
        return nil
      }
      let cancellable = AnyPublisher.fromAsyncSequence(stream).sink(
        receiveCompletion: { _ in Issue.record("an end after the cancellation") }, receiveValue: { _ in })
      await untilTrue { started.value == 1 }
      cancellable.cancel()
    }
    await untilTrue { cancelled.value == 1 && lifetimes.live == 0 }
  }

  @Test func demandFromManyThreadsIsServedExactly() async {
    let received = Log<Int>()
    let recorder = RecordingSubscriber<Int, any Error>()
    recorder.onValue = { received.add($0) }
    publisher(.max).subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    onThreads(8) { _ in
      for _ in 0..<50 { subscription.request(.max(1)) }
    }
    await untilTrue { received.all.count == 400 }
    for _ in 0..<50 { await Task.yield() }
    #expect(received.all == Array(1...400))
    recorder.cancel()
  }
}
