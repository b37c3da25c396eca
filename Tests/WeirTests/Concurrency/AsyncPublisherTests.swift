// Tests of publishers that can't fail as asynchronous sequences.

import TestKit
import Testing
import Weir

@Suite struct AsyncPublisherTests {
  @Test func givesTheValuesAndEnds() async {
    var values: [Int] = []
    for await value in (1...5).publisher.values { values.append(value) }
    #expect(values == [1, 2, 3, 4, 5])
    var iterator = Empty<Int, Never>().values.makeAsyncIterator()
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test func subscribesWhenTheIteratorIsMadeAndAsksPerCall() async {
    let source = ScriptedPublisher<Int, Never>()
    source.subscription?.onRequest = { _ in source.send(7) }
    let sequence = AsyncPublisher(source)
    #expect(source.subscriber == nil)
    var iterator = sequence.makeAsyncIterator()
    #expect(source.subscription?.history == [])
    #expect(await iterator.next() == 7)
    #expect(await iterator.next(isolation: nil) == 7)
    #expect(source.subscription?.history == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func leavingTheLoopCancels() async {
    let source = ScriptedPublisher<Int, Never>()
    source.subscription?.onRequest = { _ in source.send(7) }
    for await _ in source.values { break }
    #expect(source.subscription?.history == [.requested(.max(1)), .cancelled])
  }

  @Test func aSubjectsValueIsTakenOnlyWhileATaskWaits() async {
    let subject = CurrentValueSubject<Int, Never>(1)
    var iterator = subject.values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    subject.send(2)
    subject.send(3)
    #expect(await iterator.next() == 3)
    subject.send(completion: .finished)
    #expect(await iterator.next() == nil)
  }

  @Test func aBurstIsKeptIfAskedFor() async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    var newest = AsyncPublisher(subject, buffering: .newest(2)).makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .finished)
    for value in 1...5 { #expect(await iterator.next() == value) }
    #expect(await iterator.next() == nil)
    #expect([await newest.next(), await newest.next(), await newest.next()] == [4, 5, nil])
  }

  @Test func isSendableWhereItsPublisherIs() async {
    let sequence = AsyncPublisher(Published())
    let values = await Task { () -> [Int] in
      var values: [Int] = []
      for await value in sequence { values.append(value) }
      return values
    }.value
    #expect(values == [1, 2])
  }

  private struct Published: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = Never

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      (1...2).publisher.receive(subscriber: subscriber)
    }
  }

  /// Their constraints are those of swift-async-algorithms' `merge`, `zip` and `combineLatest`, and of its `debounce`,
  /// `throttle` and `buffer`.
  @Test func algorithmsOfAsynchronousSequencesTakeIt() async {
    func merged<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
      _ first: First, _ second: Second
    ) async throws -> Int where First.Element == Second.Element, First.Element: Sendable {
      let counts =
        [Task { try await first.reduce(0) { count, _ in count + 1 } }]
        + [Task { try await second.reduce(0) { count, _ in count + 1 } }]
      return try await counts[0].value + counts[1].value
    }
    func timed<Base: AsyncSequence & Sendable>(_ base: Base) -> Base where Base.Element: Sendable { base }
    let (numbers, others) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, TestFailure>(2))
    numbers.send(completion: .finished)
    let ended = timed(numbers.values(buffering: .unbounded))
    let failing = timed(others.values)
    others.send(completion: .failure(.first))
    await #expect(throws: TestFailure.first) { try await merged(ended, failing) }
  }

  @Test func aCancelledTaskGetsNothing() async {
    let log = await Task { () -> [String] in
      let source = ScriptedPublisher<Int, Never>()
      var iterator = source.values.makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      let value = await iterator.next()
      return ["\(value as Any)", "\(source.subscription?.history.last == .cancelled)"]
    }.value
    #expect(log == ["nil", "true"])
  }

  @MainActor @Test func runsOnTheCallersActor() async {
    var values: [Int] = []
    let subject = CurrentValueSubject<Int, Never>(1)
    for await value in subject.values {
      MainActor.assertIsolated()
      values.append(value)
      if value == 3 { subject.send(completion: .finished) } else { subject.send(value + 1) }
    }
    #expect(values == [1, 2, 3])
  }

  @Test func aLoopOverReadyValuesLetsOthersRunOnItsActor() async {
    let turns = await turnsOfAnother { for await _ in (0..<1000).publisher.values {} }
    #expect(turns > 0)
    let throwing = await turnsOfAnother {
      do {
        for try await _ in (0..<1000).publisher.setFailureType(to: TestFailure.self).values {}
      } catch {}
    }
    #expect(throwing > 0)
  }

  @Test func nothingLeaks() async {
    let lifetimes = Lifetimes()
    do {
      let subject = PassthroughSubject<LifetimeTracked, Never>()
      let source = subject.map { [tracked = lifetimes.track()] value in
        tracked.touch()
        return value
      }
      for await _ in source.prepend(lifetimes.track()).values { break }
    }
    #expect(lifetimes.live == 0)
  }
}
