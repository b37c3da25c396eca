// Tests of publishers that can't fail as asynchronous sequences.

import TestKit
import Testing
import Weir
import WeirQueues

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

  /// On the main actor, the sender's turn comes when the call waits: the call has asked then, for one value.
  @MainActor @Test func aPassthroughSubjectDropsWhatComesBetweenCalls() async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values.makeAsyncIterator()
    subject.send(1)
    let sender = Task { @MainActor in
      subject.send(2)
      subject.send(3)
      subject.send(completion: .finished)
    }
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == nil)
    await sender.value
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

  @Test(arguments: [
    (AsyncBuffering.oldest(2), [1, 2]), (.oldest(9), [1, 2, 3, 4, 5]), (.newest(2), [4, 5]),
    (.backpressure(2), [1, 2]), (.backpressure(0), []),
  ])
  func ofABurstAsManyAreKeptAsItIsTold(_ buffering: AsyncBuffering, _ kept: [Int]) async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values(buffering: buffering).makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .finished)
    for value in kept { #expect(await iterator.next() == value) }
    #expect(await iterator.next() == nil)
  }

  /// With back-pressure a stream that can waits, and nothing is lost; without it all of it comes at once.
  @Test(arguments: [
    (AsyncBuffering.backpressure(3), [4, 5, 6]), (.backpressure(0), [1, 2, 3]), (.oldest(3), [100, 100, 100]),
  ])
  func aStreamIsAskedForSoManyAhead(_ buffering: AsyncBuffering, _ sent: [Int]) async {
    let count = Counter()
    let stream = (1...100).publisher.handleEvents(receiveOutput: { _ in count.add() })
    var iterator = stream.values(buffering: buffering).makeAsyncIterator()
    for (taken, sent) in zip(1...3, sent) {
      #expect(await iterator.next() == taken)
      #expect(count.value == sent)
    }
    var rest: [Int] = []
    while let value = await iterator.next() { rest.append(value) }
    #expect(rest == (buffering == .oldest(3) ? [] : Array(4...100)))
  }

  /// What is asked for, one more for each that is taken.
  @Test func withBackPressureItAsksAgainForEachItTakes() async {
    let source = ScriptedPublisher<Int, Never>()
    var iterator = source.values(buffering: .backpressure(2)).makeAsyncIterator()
    #expect(source.subscription?.history == [.requested(.max(2))])
    // Also what comes unasked is kept.
    for value in 1...3 { source.send(value) }
    for value in 1...3 { #expect(await iterator.next() == value) }
    #expect(source.subscription?.history.count == 4)
    source.send(completion: .finished)
    #expect(await iterator.next() == nil)
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

  /// Values of a subject, which goes on, and of subjects that have ended.
  @Test func algorithmsOfAsynchronousSequencesTakeIt() async throws {
    let (numbers, letters) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<String, Never>("a"))
    let (ended, failed) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, TestFailure>())
    ended.send(completion: .finished)
    failed.send(completion: .failure(.first))

    #expect(try await Algorithms.merge(numbers.values, ended.values) == [1, nil])
    let pair = try await Algorithms.zip(numbers.values, letters.values)
    #expect(pair.0 == 1 && pair.1 == "a")
    let latest = try await Algorithms.combineLatest(letters.values, numbers.values)
    #expect(latest.0 == "a" && latest.1 == 1)
    #expect(try await Algorithms.debounce(numbers.values, for: .zero, clock: ContinuousClock()) == 1)
    #expect(try await Algorithms.throttle(letters.values, for: .zero, clock: ContinuousClock()) { $1 + "b" } == "ab")
    #expect(try await Algorithms.buffer(numbers.values) == 1)
    await #expect(throws: TestFailure.first) { try await Algorithms.merge(numbers.values, failed.values) }
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

  /// Also where the sequence's type is not known: to leave the actor and come back for each value, as `map` of the
  /// standard library's asynchronous sequences does, takes a turn of the run loop on the main actor.
  @Test func aLoopOverReadyValuesStaysOnItsActor() async throws {
    let (queue, actor) = (Channel<Int>(minimumCapacity: 128), CountedActor())
    for number in 0..<100 { _ = queue.sender.trySend(number) }
    queue.sender.close()
    let sequences: [any AsyncSequence<Int, Never>] = [
      (0..<100).publisher.values, (0..<100).publisher.values(buffering: .unbounded), queue.receiver,
    ]
    for sequence in sequences {
      let sequence = Unchecked(sequence)
      let returns = await actor.returns { actor in
        var count = 0
        for await _ in sequence.value { count += 1 }
        actor.assertIsolated()
        #expect(count == 100)
      }
      #expect(returns == 0)
    }
    let failing = Unchecked<any AsyncSequence<Int, TestFailure>>(
      (0..<100).publisher.setFailureType(to: TestFailure.self).values)
    #expect(try await actor.returns { _ in for try await _ in failing.value {} } == 0)
    let mapped = Unchecked((0..<100).publisher.values.map { $0 })
    #expect(await actor.returns { _ in for await _ in mapped.value {} } >= 100)
  }

  @Test func aLoopOverReadyValuesLetsOthersRunOnItsActor() async {
    let turns = await turnsOfAnother { for await _ in (0..<100_000).publisher.values {} }
    #expect(turns > 0)
    let throwing = await turnsOfAnother {
      do {
        for try await _ in (0..<100_000).publisher.setFailureType(to: TestFailure.self).values {}
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

/// Stand-ins for functions of swift-async-algorithms, as of June 2026: they demand as much of their sequences and of
/// the elements, and nothing of the iterators. Each takes one element of each sequence, in a task of its own where it
/// may.
private enum Algorithms {
  static func merge<First: AsyncSequence, Second: AsyncSequence>(
    _ first: First, _ second: Second
  ) async throws -> [First.Element?]
  where First.Element == Second.Element, First: Sendable, Second: Sendable, First.Element: Sendable {
    [try await firstElement(of: first), try await firstElement(of: second)]
  }

  static func zip<First: AsyncSequence, Second: AsyncSequence>(
    _ first: First, _ second: Second
  ) async throws -> (First.Element?, Second.Element?)
  where First: Sendable, First.Element: Sendable, Second: Sendable, Second.Element: Sendable {
    (try await firstElement(of: first), try await firstElement(of: second))
  }

  static func combineLatest<First: AsyncSequence, Second: AsyncSequence>(
    _ first: First, _ second: Second
  ) async throws -> (First.Element?, Second.Element?)
  where First: Sendable, First.Element: Sendable, Second: Sendable, Second.Element: Sendable {
    (try await firstElement(of: first), try await firstElement(of: second))
  }

  static func debounce<Base: AsyncSequence, C: Clock>(
    _ base: Base, for interval: C.Instant.Duration, clock: C
  ) async throws -> Base.Element? where Base: Sendable, Base.Element: Sendable {
    try await firstElement(of: base)
  }

  static func throttle<Base: AsyncSequence, C: Clock, Reduced>(
    _ base: Base, for interval: C.Instant.Duration, clock: C,
    reducing: @Sendable @escaping (Reduced?, Base.Element) async -> Reduced
  ) async throws -> Reduced? {
    for try await element in base { return await reducing(nil, element) }
    return nil
  }

  /// How many elements it took: they may not leave the task.
  static func buffer<Base: AsyncSequence>(_ base: Base) async throws -> Int where Base: Sendable {
    let task = Task {
      for try await _ in base { return 1 }
      return 0
    }
    return try await task.value
  }

  private static func firstElement<Base: AsyncSequence & Sendable>(of base: Base) async throws -> Base.Element?
  where Base.Element: Sendable {
    let task = Task { () -> Base.Element? in
      for try await element in base { return element }
      return nil
    }
    return try await task.value
  }
}
