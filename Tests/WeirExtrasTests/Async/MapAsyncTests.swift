// Tests of `mapAsync` and `compactMapAsync`.

import Dispatch
import TestKit
import Testing
import Weir
import WeirExtras

/// Asks for one value, and for others when it is told. Values come from tasks.
private final class Taker: Subscriber {
  let (values, ends) = (Log<Int>(), Counter())
  private let subscription = Shared<(any Subscription)?>(nil)

  func receive(subscription: any Subscription) {
    self.subscription.value = subscription
    subscription.request(.max(1))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    values.add(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { ends.add() }

  func request(_ demand: Subscribers.Demand) { subscription.value?.request(demand) }
}

/// Either of the two operators: what holds of the one does of the other.
enum AsyncMapping: CaseIterable {
  case map, compactMap

  func callAsFunction<Failure: Error>(
    _ upstream: some Publisher<Int, Failure>, _ transform: @escaping @Sendable (Int) async -> Int
  ) -> AnyPublisher<Int, Failure> {
    switch self {
    case .map: upstream.mapAsync(transform).eraseToAnyPublisher()
    case .compactMap: upstream.compactMapAsync(transform).eraseToAnyPublisher()
    }
  }

  func callAsFunction<Failure: Error>(
    _ upstream: some Publisher<Int, Failure>, buffering: AsyncBuffering,
    _ transform: @escaping @Sendable (Int) async -> Int
  ) -> AnyPublisher<Int, Failure> {
    switch self {
    case .map: upstream.mapAsync(buffering: buffering, transform).eraseToAnyPublisher()
    case .compactMap: upstream.compactMapAsync(buffering: buffering, transform).eraseToAnyPublisher()
    }
  }

  func callAsFunction<Failure: Error>(
    _ upstream: some Publisher<Int, Failure>, atOnce limit: Int, buffering: AsyncBuffering,
    _ transform: @escaping @Sendable (Int) async -> Int
  ) -> AnyPublisher<Int, Failure> {
    switch self {
    case .map: upstream.mapAsync(maxConcurrent: limit, buffering: buffering, transform).eraseToAnyPublisher()
    case .compactMap:
      upstream.compactMapAsync(maxConcurrent: limit, buffering: buffering, transform).eraseToAnyPublisher()
    }
  }
}

@Suite struct MapAsyncTests {
  private let source = ScriptedPublisher<Int, TestFailure>()
  private let lifetimes = Lifetimes()

  /// The commonly copied version ran all at once, so that results came in the order in which they were ready.
  @Test func keepsTheOrderByDefault() async throws {
    let running = Counter()
    let most = Counter()
    let values = try await (0..<20).publisher.compactMapAsync { number -> Int? in
      most.set(max(most.value, running.add()))
      for _ in 0..<(20 - number) { await Task.yield() }
      running.add(-1)
      return number.isMultiple(of: 3) ? nil : number
    }.collectValues()
    #expect(values == (0..<20).filter { !$0.isMultiple(of: 3) })
    #expect(most.value == 1)
  }

  /// Several at once are `@Sendable`, which Tests/ConsumerTests/Isolation/Refused shows.
  @Test func ofOneAtATimeTheTransformMayChangeAnything() async throws {
    final class Sum { var value = 0 }
    let sum = Sum()
    let values = try await (1...3).publisher.mapAsync { number -> Int in
      sum.value += number
      return sum.value
    }.collectValues()
    #expect(values == [1, 3, 6])
  }

  @Test func severalAtOnceLeaveOutWhatBecomesNothing() async throws {
    let values = try await (1...9).publisher.compactMapAsync(maxConcurrent: 3) { number -> Int? in
      await Task.yield()
      return number.isMultiple(of: 2) ? nil : number
    }.collectValues()
    #expect(values.sorted() == [1, 3, 5, 7, 9])
  }

  @Test func ofSeveralFailuresOfAPublisherThatBreaksItsContractTheFirstCounts() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    source.mapAsync { number in number }.subscribe(recorder)
    source.send(completion: .failure(.second))
    source.send(completion: .failure(.first))
    #expect(recorder.completions == [.failure(.second)])
  }

  /// Nine of ten were lost.
  @Test(arguments: AsyncMapping.allCases)
  func allValuesThatAreSentAtOnceAreTransformed(_ mapping: AsyncMapping) async {
    let subject = PassthroughSubject<Int, TestFailure>()
    let log = Log<String>()
    let cancellable = mapping(subject) { number -> Int in
      await Task.yield()
      return 10 * number
    }.sink(receiveCompletion: { log.add("\($0)") }, receiveValue: { log.add("\($0)") })
    for value in 1...10 { subject.send(value) }
    subject.send(completion: .failure(.first))
    await untilTrue { log.all.count == 11 }
    #expect(log.all == (1...10).map { "\(10 * $0)" } + ["failure(TestKit.TestFailure.first)"])
    withExtendedLifetime(cancellable) {}
  }

  /// It was lost in 124 of 200 tries, as with `sinkAsync`.
  @Test(arguments: AsyncMapping.allCases)
  func aValueSentOnTheLineAfterSubscribingIsTransformed(_ mapping: AsyncMapping) async {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let results = Log<Int>()
      let cancellable = mapping(subject) { 10 * $0 }.sink(
        receiveCompletion: { _ in results.add(-1) }, receiveValue: { results.add($0) })
      subject.send(1)
      subject.send(completion: .finished)
      await untilTrue { results.all.last == -1 }
      #expect(results.all == [10, -1])
      withExtendedLifetime(cancellable) {}
    }
  }

  /// What becomes nothing takes no room, and is not missed.
  @Test(arguments: [1, 3]) func ofABurstWhatBecomesNothingIsLeftOut(_ maxConcurrent: Int) async {
    let subject = PassthroughSubject<Int, TestFailure>()
    let (transformed, results) = (Counter(), Log<Int>())
    let cancellable = subject.compactMapAsync(maxConcurrent: maxConcurrent) { number -> Int? in
      transformed.add()
      await Task.yield()
      return number.isMultiple(of: 2) ? nil : number
    }.sink(receiveCompletion: { _ in results.add(99) }, receiveValue: { results.add($0) })
    for value in 1...10 { subject.send(value) }
    subject.send(completion: .finished)
    await untilTrue { results.all.last == 99 }
    #expect(transformed.value == 10)
    #expect(results.all.sorted() == [1, 3, 5, 7, 9, 99])
    withExtendedLifetime(cancellable) {}
  }

  /// Of values that become nothing, so many are transformed as it takes for the one that is asked for.
  @Test func withoutBufferWhatBecomesNothingIsAskedForAnew() async {
    let (transformed, taker) = (Counter(), Taker())
    (1...1_000).publisher.compactMapAsync(buffering: .backpressure(0)) { number -> Int? in
      transformed.add()
      return number.isMultiple(of: 10) ? number : nil
    }.subscribe(taker)
    for asked in 1...5 {
      await untilTrue { taker.values.all.count == asked }
      for _ in 0..<100 { await Task.yield() }
      #expect((10 * asked...10 * (asked + 1)).contains(transformed.value))
      taker.request(.max(1))
    }
    taker.request(.unlimited)
    await untilTrue { taker.ends.value == 1 }
    #expect(taker.values.all == (1...100).map { 10 * $0 })
  }

  @Test(arguments: [
    (AsyncBuffering.oldest(2), [1, 2, 3]), (.newest(2), [1, 4, 5]), (.backpressure(2), [1, 2, 3]),
    (.backpressure(0), [1]),
  ])
  func keepsAsManyAsItIsTold(_ buffering: AsyncBuffering, _ expected: [Int]) async {
    for mapping in AsyncMapping.allCases {
      let subject = PassthroughSubject<Int, Never>()
      let (door, started, results) = (Door(), Counter(), Log<Int>())
      let cancellable = mapping(subject, buffering: buffering) { number -> Int in
        started.add()
        await door.pass()
        return number
      }.sink(receiveCompletion: { _ in results.add(-1) }, receiveValue: { results.add($0) })
      subject.send(1)
      await untilTrue { started.value == 1 }
      for value in 2...5 { subject.send(value) }
      subject.send(completion: .finished)
      await door.open()
      await untilTrue { results.all.last == -1 }
      #expect(results.all == expected + [-1])
      withExtendedLifetime(cancellable) {}
    }
  }

  /// What came beyond the number was dropped.
  @Test(arguments: AsyncMapping.allCases) func whatComesUnaskedIsKept(_ mapping: AsyncMapping) async {
    let (door, results) = (Door(), Log<Int>())
    let cancellable = mapping(source, buffering: .backpressure(1)) { number -> Int in
      await door.pass()
      return number
    }.sink(receiveCompletion: { _ in results.add(-1) }, receiveValue: { results.add($0) })
    #expect(source.subscription?.history == [.requested(.max(1))])
    for number in 1...5 { source.send(number) }
    source.send(completion: .finished)
    await door.open()
    await untilTrue { results.all.last == -1 }
    #expect(results.all == [1, 2, 3, 4, 5, -1])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: AsyncMapping.allCases)
  func withoutBufferNoMoreAreAskedForThanMayBeUnderWay(_ mapping: AsyncMapping) async {
    let door = Door()
    let started = Counter()
    let results = Log<Int>()
    let cancellable = mapping(source, atOnce: 3, buffering: .backpressure(0)) { number -> Int in
      started.add()
      await door.pass()
      return number
    }.sink(receiveCompletion: { _ in results.add(-1) }, receiveValue: { results.add($0) })
    #expect(source.subscription?.history == [.requested(.max(3))])
    let requests = Counter()
    source.subscription?.onRequest = { _ in requests.add() }
    for number in 1...3 { source.send(number) }
    await untilTrue { started.value == 3 }
    #expect(source.subscription?.history == [.requested(.max(3))])
    await door.open()
    await untilTrue { results.all.count == 3 }
    #expect(results.all.sorted() == [1, 2, 3])
    await untilTrue { requests.value == 3 }
    source.send(completion: .finished)
    await untilTrue { results.all.count == 4 }
    withExtendedLifetime(cancellable) {}
  }

  /// All were under way at once.
  @Test(arguments: [1, 2]) func withoutBufferWhatComesUnaskedWaits(_ maxConcurrent: Int) async {
    let (door, started, results) = (Door(), Counter(), Log<Int>())
    let cancellable = source.mapAsync(maxConcurrent: maxConcurrent, buffering: .backpressure(0)) { number -> Int in
      started.add()
      await door.pass()
      return number
    }.sink(receiveCompletion: { _ in results.add(-1) }, receiveValue: { results.add($0) })
    for number in 1...5 { source.send(number) }
    source.send(completion: .finished)
    await untilTrue { started.value == maxConcurrent }
    for _ in 0..<100 { await Task.yield() }
    #expect(started.value == maxConcurrent)
    await door.open()
    await untilTrue { results.all.last == -1 }
    #expect(results.all.sorted() == [-1, 1, 2, 3, 4, 5])
    #expect(source.subscription?.history == [.requested(.max(maxConcurrent))])
    withExtendedLifetime(cancellable) {}
  }

  @Test func withoutBufferACancellationDropsWhatHasComeUnasked() async {
    let started = Counter()
    let tracked = ScriptedPublisher<LifetimeTracked, TestFailure>()
    let cancellable = tracked.mapAsync(buffering: .backpressure(0)) { _ -> Int in
      started.add()
      await untilCancelled()
      return 0
    }.sink(receiveCompletion: { _ in }, receiveValue: { _ in Issue.record("a value after the cancellation") })
    for _ in 1...3 { tracked.send(lifetimes.track()) }
    await untilTrue { started.value == 1 }
    cancellable.cancel()
    tracked.send(lifetimes.track())
    await untilTrue { lifetimes.live == 0 }
    #expect(started.value == 1)
  }

  /// All that came was transformed, and what nobody had asked for was kept.
  @Test(arguments: [1, 3]) func withoutBufferNoMoreIsTransformedThanIsAskedFor(_ maxConcurrent: Int) async {
    let (transformed, taker) = (Counter(), Taker())
    (1...1_000).publisher.mapAsync(maxConcurrent: maxConcurrent, buffering: .backpressure(0)) { number -> Int in
      transformed.add()
      return number
    }.subscribe(taker)
    for asked in 1...5 {
      await untilTrue { taker.values.all.count == asked }
      for _ in 0..<100 { await Task.yield() }
      #expect((asked...asked + maxConcurrent).contains(transformed.value))
      taker.request(.max(1))
    }
    taker.request(.unlimited)
    await untilTrue { taker.ends.value == 1 }
    #expect(taker.values.all.sorted() == Array(1...1_000))
  }

  /// The commonly copied version let its tasks run on.
  @Test func cancellingCancelsTheTasks() async {
    let started = Counter()
    let cancelled = Counter()
    let cancellable = source.mapAsync(maxConcurrent: 2) { number -> Int in
      started.add()
      await untilCancelled()
      cancelled.add()
      return number
    }.sink(receiveCompletion: { _ in }, receiveValue: { _ in Issue.record("a value after the cancellation") })
    source.send(1)
    source.send(2)
    await untilTrue { started.value == 2 }
    cancellable.cancel()
    await untilTrue { cancelled.value == 2 }
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  /// They were begun, and held what they transform until then.
  @Test func transformsThatHaveNotBegunAreNotCalledAfterTheCancellation() async {
    let (called, goOn) = (Counter(), DispatchSemaphore(value: 0))
    @Sendable func hold() { goOn.wait() }
    do {
      let tracked = lifetimes.track()
      let cancellable = (1...1_000).publisher.mapAsync(maxConcurrent: 1_000) { number in
        tracked.touch()
        called.add()
        hold()
        return number
      }.sink { _ in Issue.record("a value after the cancellation") }
      await onOtherThread(once: { called.value > 0 }) {
        cancellable.cancel()
        for _ in 1...1_000 { goOn.signal() }
      }
    }
    await untilTrue { lifetimes.live == 0 }
    #expect(called.value < 1_000)
  }

  @Test func anErrorOfTheStreamsKindMayBeThrown() async {
    let recorder = Log<String>()
    let cancellable = source.mapAsync { number async throws(TestFailure) -> Int in
      if number == 2 { throw TestFailure.second }
      return number * 10
    }.sink(receiveCompletion: { recorder.add("\($0)") }, receiveValue: { recorder.add("\($0)") })
    source.send(1)
    await untilTrue { recorder.all.count == 1 }
    source.send(2)
    await untilTrue { recorder.all.count == 2 }
    #expect(recorder.all == ["10", "failure(TestKit.TestFailure.second)"])
    #expect(source.subscription?.history.last == .cancelled)
    withExtendedLifetime(cancellable) {}
  }

  @Test func nothingIsKeptAfterTheEnd() async {
    do {
      let tracked = lifetimes.track()
      let finished = Counter()
      let cancellable = Just(1).mapAsync { number in
        tracked.touch()
        return number
      }.sink(receiveCompletion: { _ in finished.add() }, receiveValue: { _ in tracked.touch() })
      await untilTrue { finished.value == 1 }
      withExtendedLifetime(cancellable) {}
    }
    await untilTrue { lifetimes.live == 0 }
  }

  /// It cancelled them, of several at a time always, and of one where nothing was kept.
  @Test(arguments: [1, 2], [AsyncBuffering.unbounded, .oldest(2), .newest(2), .backpressure(1), .backpressure(0)])
  func aFailureOfTheUpstreamComesBehindWhatIsUnderWay(_ maxConcurrent: Int, _ buffering: AsyncBuffering) async {
    let subject = PassthroughSubject<Int, TestFailure>()
    let (door, started, log) = (Door(), Counter(), Log<String>())
    let cancellable = subject.mapAsync(maxConcurrent: maxConcurrent, buffering: buffering) { number -> Int in
      started.add()
      await door.pass()
      #expect(!Task.isCancelled)
      return number
    }.sink(receiveCompletion: { log.add("\($0)") }, receiveValue: { log.add("\($0)") })
    for number in 1...maxConcurrent { subject.send(number) }
    subject.send(completion: .failure(.first))
    await untilTrue { started.value == maxConcurrent }
    await door.open()
    await untilTrue { log.all.count == maxConcurrent + 1 }
    #expect(log.all.dropLast().sorted() == (1...maxConcurrent).map { "\($0)" })
    #expect(log.all.last == "failure(TestKit.TestFailure.first)")
    withExtendedLifetime(cancellable) {}
  }

  @Test func aFailureOfTheTransformEndsTheStreamAtOnce() async {
    let (started, cancelled, log) = (Counter(), Counter(), Log<String>())
    let cancellable = source.mapAsync(maxConcurrent: 2) { number async throws(TestFailure) -> Int in
      started.add()
      if number == 2 { throw .second }
      await untilCancelled()
      cancelled.add()
      return number
    }.sink(receiveCompletion: { log.add("\($0)") }, receiveValue: { log.add("\($0)") })
    source.send(1)
    await untilTrue { started.value == 1 }
    source.send(2)
    await untilTrue { cancelled.value == 1 && log.all.count == 1 }
    #expect(log.all == ["failure(TestKit.TestFailure.second)"])
    #expect(source.subscription?.history.last == .cancelled)
    withExtendedLifetime(cancellable) {}
  }

  @Test func throwingCodeEndsAStreamThatTakesAnyError() async {
    func load(_ number: Int) async throws -> Int {
      if number == 3 { throw TestFailure.first }
      return number
    }
    let loaded = (1...5).publisher.setFailureType(to: (any Error).self).mapAsync { try await load($0) }
    await #expect(throws: TestFailure.first) { try await loaded.collectValues() }
    let first = try? await loaded.collectValues(limit: 2)
    #expect(first == [1, 2])
  }

  @Test func thePublishedTypeCompiles() async throws {
    let erased: AnyPublisher<Int, Never> = Just("7").compactMapAsync { Int($0) }
    #expect(try await erased.collectValues() == [7])
  }
}
