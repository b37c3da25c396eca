// Tests of the graph of live subscriptions, in a build with the trait Inspection.

import Foundation
import Testing
import Weir
import WeirExtras
import WeirFoundation
import WeirTesting

enum Broken: Error { case early }

/// Asks for what it is told to, and keeps its subscription until it is told to let go of it.
final class Slow: Subscriber, CustomStringConvertible {
  typealias Input = Int
  typealias Failure = Never

  var subscription: (any Subscription)?
  let description = "Slow"

  func receive(subscription: any Subscription) { self.subscription = subscription }
  func receive(_ input: Int) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}
}

/// Keeps its subscribers for good.
final class Hoarder: Publisher {
  typealias Output = Int
  typealias Failure = Never

  var subscribers: [AnySubscriber<Int, Never>] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscribers.append(AnySubscriber(subscriber))
    subscriber.receive(subscription: Subscriptions.empty)
  }
}

final class Model: ObservableObject {
  @Published var number = 0
}

private let listeningLine = #line + 4

private func listen() async {
  let numbers = PassthroughSubject<Int, Never>()
  for await _ in numbers.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest).values {}
}

/// One after the other: all see the subscriptions of the process.
@Suite(.serialized) final class LiveGraphTests {
  let subject = PassthroughSubject<Int, Never>()
  private var tokens: [AnyCancellable] = []

  init() { WeirInspector.isOn = true }

  deinit { WeirInspector.isOn = false }

  /// Keeps a subscription to the end of the test.
  func keep(_ token: AnyCancellable) { tokens.append(token) }

  /// The paths of the streams that are alive, from their origins on.
  private var paths: [String] {
    let graph = WeirInspector.snapshot()
    let continued = Set(graph.subscriptions.compactMap(\.downstream))
    return graph.subscriptions.filter { !continued.contains($0.id) }.map { graph.path(from: $0.id) }.sorted()
  }

  private func numbers(_ graph: StreamGraph, _ publisher: String) -> [Int] {
    graph.subscriptions.filter { $0.publisher == publisher }.map(\.delivered)
  }

  @Test func aChainIsShownWithWhatPasses() {
    #expect(WeirInspector.isBuiltIn)
    subject.filter { $0 > 1 }.map { $0 * 2 }.scan(0, +).sink { _ in }.store(in: &tokens)
    for number in 1...3 { subject.send(number) }
    #expect(paths == ["PassthroughSubject -> Filter -> Map -> Scan -> Sink"])
    let graph = WeirInspector.snapshot()
    #expect(numbers(graph, "PassthroughSubject") == [3])
    #expect(numbers(graph, "Filter") == [2])
    #expect(numbers(graph, "Scan") == [2])
    #expect(graph.subscriptions.allSatisfy { $0.state == .active && $0.requested == nil && $0.isSubscriptionHeld })
    #expect(graph.subscriptions.first { $0.publisher == "Filter" }?.subscriber == "Map")
    tokens = []
    #expect(WeirInspector.snapshot().subscriptions.isEmpty)
  }

  @Test func whatEndsIsGone() {
    var sink: AnyCancellable? = subject.map { $0 }.sink { _ in }
    subject.send(completion: .finished)
    #expect(paths == [])
    sink = nil
    withExtendedLifetime(sink) {}
    [1, 2, 3].publisher.map { $0 }.sink { _ in }.store(in: &tokens)
    Fail<Int, Broken>(error: .early).catch { _ in Just(1) }.sink { _ in }.store(in: &tokens)
    #expect(paths == [])
  }

  @Test func whatIsMadeWhileItIsOffIsNotSeen() {
    WeirInspector.isOn = false
    subject.map { $0 }.sink { _ in }.store(in: &tokens)
    #expect(paths == [])
  }

  @Test func streamsThatMeetLeadToOneEnd() {
    let other = CurrentValueSubject<Int, Never>(1)
    subject.merge(with: other).combineLatest(other).sink { _ in }.store(in: &tokens)
    #expect(
      paths == [
        "CurrentValueSubject -> CombineLatest -> Sink", "CurrentValueSubject -> Merge -> CombineLatest -> Sink",
        "PassthroughSubject -> Merge -> CombineLatest -> Sink",
      ])
  }

  @Test func innerStreamsLeadToTheStreamThatMadeThem() {
    let inner = PassthroughSubject<Int, Never>()
    subject.flatMap { _ in inner.map { $0 } }.sink { _ in }.store(in: &tokens)
    subject.send(1)
    subject.send(2)
    inner.send(5)
    let path = "PassthroughSubject -> Map -> FlatMap -> Sink"
    #expect(paths == ["PassthroughSubject -> FlatMap -> Sink", path, path])
    #expect(numbers(WeirInspector.snapshot(), "FlatMap") == [2])
    inner.send(completion: .finished)
    #expect(paths == ["PassthroughSubject -> FlatMap -> Sink"])
  }

  @Test func whatASinkSubscribesToIsAStreamOfItsOwn() {
    let other = PassthroughSubject<Int, Never>()
    subject.sink { [unowned self] _ in other.map { $0 }.sink { _ in }.store(in: &tokens) }.store(in: &tokens)
    subject.send(1)
    #expect(paths == ["PassthroughSubject -> Map -> Sink", "PassthroughSubject -> Sink"])
  }

  @Test func whatSubscribesLaterAndElsewhereIsWithinItsStream() {
    let scheduler = TestScheduler()
    subject.subscribe(on: scheduler).sink { _ in }.store(in: &tokens)
    scheduler.advance()
    #expect(paths == ["PassthroughSubject -> SubscribeOn -> Sink"])
    tokens = []
    scheduler.advance()
    let failing = PassthroughSubject<Int, Broken>()
    var attempts = 0
    Deferred { () -> AnyPublisher<Int, Broken> in
      attempts += 1
      return attempts == 1 ? Fail(error: .early).eraseToAnyPublisher() : failing.eraseToAnyPublisher()
    }
    .retryWithBackoff(maxRetries: 1, initialDelay: 1, maxDelay: 1, scheduler: scheduler)
    .sink { _ in
    } receiveValue: { _ in
    }.store(in: &tokens)
    scheduler.advance(by: .seconds(2))
    #expect(attempts == 2)
    #expect(paths == ["PassthroughSubject -> AnyPublisher -> Deferred -> RetryWithBackoff -> Sink"])
  }

  @Test func aSharedStreamFeedsItsSubject() throws {
    let shared = subject.map { $0 }.share()
    shared.sink { _ in }.store(in: &tokens)
    shared.filter { $0 > 1 }.sink { _ in }.store(in: &tokens)
    let graph = WeirInspector.snapshot()
    let feed = try #require(graph.subscriptions.first { !$0.feeds.isEmpty })
    #expect(feed.publisher == "Map")
    #expect(feed.feeds.count == 2)
    #expect(feed.feeds.allSatisfy { graph.path(from: $0).hasPrefix("PassthroughSubject -> Multicast") })
  }

  @Test func aReplayedStreamIsShownFromItsOriginOn() {
    let shared = subject.map { $0 }.shareReplay(bufferSize: 1)
    let first = shared.sink { _ in }
    shared.sink { _ in }.store(in: &tokens)
    #expect(paths == ["PassthroughSubject -> Map -> ShareReplay -> Sink", "ShareReplay -> Sink"])
    first.cancel()
    #expect(paths == ["PassthroughSubject -> Map -> ShareReplay", "ShareReplay -> Sink"])
    tokens = []
    #expect(paths == [])
  }

  @Test func buffersTellWhatTheyKeepAndDrop() throws {
    let slow = Slow()
    subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).subscribe(slow)
    for number in 1...5 { subject.send(number) }
    var buffer = try #require(WeirInspector.snapshot().subscriptions.first { $0.publisher == "Buffer" })
    #expect([buffer.waiting, buffer.dropped, buffer.demand, buffer.delivered] == [2, 3, 0, 0])
    slow.subscription?.request(.max(1))
    buffer = try #require(WeirInspector.snapshot().subscriptions.first { $0.publisher == "Buffer" })
    #expect([buffer.waiting, buffer.requested, buffer.demand, buffer.delivered] == [1, 1, 0, 1])
    #expect(buffer.subscriber == "Slow")
    slow.subscription?.cancel()
    slow.subscription = nil
    #expect(paths == [])
  }

  @Test func hopsTellWhatWaitsOnTheirSchedulers() {
    let scheduler = TestScheduler()
    subject.receive(on: scheduler).sink { _ in }.store(in: &tokens)
    for number in 1...3 { subject.send(number) }
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.waiting) == [3])
    scheduler.advance()
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.waiting) == [0])
  }

  @Test func whatAnOperationQueueHasDroppedDoesNotWait() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    subject.receive(on: queue).sink { _ in }.store(in: &tokens)
    for number in 1...3 { subject.send(number) }
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.waiting) == [3])
    queue.cancelAllOperations()
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.waiting) == [0])
    subject.send(4)
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.waiting) == [1])
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.waiting) == [0])
  }

  @Test func whatIsDelayedHasItsTime() {
    let scheduler = TestScheduler()
    subject.delay(for: .milliseconds(1234), scheduler: scheduler).sink { _ in }.store(in: &tokens)
    subject.receive(on: scheduler).sink { _ in }.store(in: &tokens)
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.delay) == [1_234_000_000])
    subject.send(1)
    let before = WeirInspector.snapshot()
    let stalls = WeirInspector.snapshot().stalls(since: before, lasting: 0)
    #expect(stalls.map(\.holder) == ["ReceiveOn"])
    tokens = []
    scheduler.advance(by: .seconds(2))
  }

  @Test func aCallThatIsUnderWayIsSeen() {
    var seen: [Bool] = []
    subject.map { $0 }.sink { _ in seen = WeirInspector.snapshot().subscriptions.map(\.isDelivering) }
      .store(in: &tokens)
    subject.send(1)
    #expect(seen == [true, true])
    #expect(WeirInspector.snapshot().subscriptions.map(\.isDelivering) == [false, false])
  }

  @Test func whoIsStillTellingTheEndHoldsNobody() {
    var leaks: [StreamGraph.Leak] = []
    subject.map { $0 }.sink { _ in }.store(in: &tokens)
    subject.sink { _ in
      leaks = WeirInspector.snapshot().leaks()
    } receiveValue: { _ in
    }.store(in: &tokens)
    subject.filter { $0 > 1 }.sink { _ in }.store(in: &tokens)
    subject.send(completion: .finished)
    #expect(leaks.isEmpty, "\(leaks)")
  }

  /// A snapshot in the midst of a delivery reads one side before the other.
  @Test func nothingIsDroppedWhereThereIsRoom() {
    var dropped: [Int] = []
    subject
      .buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest)
      .map { value -> Int in
        dropped += WeirInspector.snapshot().subscriptions.compactMap(\.dropped)
        return value
      }
      .sink { _ in }.store(in: &tokens)
    for number in 1...3 { subject.send(number) }
    #expect(dropped == [0, 0, 0])
  }

  @Test func oneOf64ValuesIsTimedWhereTheyQueue() {
    let scheduler = TestScheduler()
    subject.receive(on: scheduler).map { $0 }.receive(on: scheduler).sink { _ in }.store(in: &tokens)
    for number in 1...640 { subject.send(number) }
    scheduler.advance()
    // The first one, and ten.
    #expect(WeirInspector.snapshot().subscriptions.compactMap(\.latency).map(\.samples) == [11])
  }

  @Test func typesOfFunctionsHaveTheirNamesOnly() {
    final class Local: Subscriber {
      typealias Input = Int
      typealias Failure = Never
      var subscription: (any Subscription)?
      func receive(subscription: any Subscription) { self.subscription = subscription }
      func receive(_ input: Int) -> Subscribers.Demand { .none }
      func receive(completion: Subscribers.Completion<Never>) {}
    }
    let local = Local()
    subject.subscribe(local)
    #expect(WeirInspector.snapshot().subscriptions.map(\.subscriber) == ["InspectionTests.LiveGraphTests.Local"])
    local.subscription?.cancel()
    local.subscription = nil
  }

  @Test func aLoopHasItsPlace() async {
    let task = Task { await listen() }
    while WeirInspector.snapshot().subscriptions.count < 2 { await Task.yield() }
    let end = WeirInspector.snapshot().subscriptions.first
    #expect(end?.attachment?.place?.description == "LiveGraphTests.swift:\(listeningLine)")
    task.cancel()
    await task.value
  }

  /// Not what the compiler calls their types, nor all that is in them.
  @Test func whatTakesValuesForTasksAndPropertiesHasAName() {
    let model = Model()
    subject.mapAsync { $0 }.sink { _ in }.store(in: &tokens)
    subject.mapAsync(buffering: .backpressure(0)) { $0 }.sink { _ in }.store(in: &tokens)
    subject.sinkAsync { _ in }.store(in: &tokens)
    subject.assign(to: &model.$number)
    #expect(
      Set(WeirInspector.snapshot().subscriptions.map(\.subscriber))
        == ["Buffer", "FlatMap", "MapAsync", "Published", "Sink", "Task"])
  }

  @Test func aLoopThatHasTakenSomeIsNoStall() async {
    var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    for number in 1...3 { subject.send(number) }
    let before = WeirInspector.snapshot()
    #expect(await iterator.next() == 1)
    #expect(WeirInspector.snapshot().stalls(since: before, lasting: 0).isEmpty)
  }

  @Test func aLoopTellsWhatItHasNotTaken() {
    let iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    for number in 1...3 { subject.send(number) }
    let before = WeirInspector.snapshot()
    #expect(before.subscriptions.compactMap(\.untaken) == [3])
    let stalls = WeirInspector.snapshot().stalls(since: before, lasting: 0)
    #expect(stalls.map(\.waiting) == [3])
    withExtendedLifetime(iterator) {}
  }

  @Test func aLongChainIsOneStream() {
    var chain = subject.eraseToAnyPublisher()
    for _ in 0..<200 { chain = chain.map { $0 + 1 }.eraseToAnyPublisher() }
    var received = 0
    chain.sink { received = $0 }.store(in: &tokens)
    subject.send(0)
    #expect(received == 200)
    #expect(paths.count == 1)
    let graph = WeirInspector.snapshot()
    #expect(graph.subscriptions.count > 200 && graph.subscriptions.allSatisfy { $0.delivered == 1 })
    #expect(graph.way(from: graph.subscriptions.last?.id ?? 0).count == graph.subscriptions.count)
    #expect(graph.leaks().isEmpty && graph.stalls(since: graph, lasting: 0).isEmpty)
  }

  @Test func aGraphThatWasReadIsTheSame() throws {
    subject.filter { $0 > 1 }.receive(on: TestScheduler()).sink { _ in }.store(in: &tokens)
    let graph = WeirInspector.snapshot()
    let read = try JSONDecoder().decode(StreamGraph.self, from: Data(try graph.json().utf8))
    #expect(read == graph)
    #expect(Set(read.subscriptions.map(\.attachment)) == Set(graph.subscriptions.map(\.attachment)))
  }

  @Test func aGraphThatWasReadMayLeadInACircle() throws {
    subject.filter { $0 > 1 }.sink { _ in }.store(in: &tokens)
    let graph = WeirInspector.snapshot()
    let (first, last) = (graph.subscriptions[0].id, graph.subscriptions[1].id)
    let text = try graph.json().replacing("\"id\":\(first),", with: "\"downstream\":\(last),\"id\":\(first),")
    let read = try JSONDecoder().decode(StreamGraph.self, from: Data(text.utf8))
    #expect(read.subscriptions.map(\.downstream) == [last, first])
    #expect(read.path(from: last) == "PassthroughSubject -> Filter -> Sink")
    #expect(read.way(from: first).map(\.id) == [first])
  }

  // MARK: Seeded mistakes

  @Test func aStallNamesWhoHasNotAsked() {
    let slow = Slow()
    subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).map { $0 }.filter { _ in true }.subscribe(slow)
    let line = #line - 1
    for number in 1...4 { subject.send(number) }
    let before = WeirInspector.snapshot()
    let stalls = WeirInspector.snapshot().stalls(since: before, lasting: 0)
    #expect(
      stalls.map(\.description) == [
        "Buffer -> Map -> Filter -> Slow: 4 values wait for Slow (LiveGraphTests.swift:\(line))"
      ])
    slow.subscription?.request(.unlimited)
    #expect(WeirInspector.snapshot().stalls(since: before, lasting: 0).isEmpty)
    slow.subscription?.cancel()
    slow.subscription = nil
  }

  @Test func aPublisherThatKeepsItsSubscribersLeaks() {
    let hoarder = Hoarder()
    hoarder.map { $0 }.sink { _ in }.store(in: &tokens)
    #expect(WeirInspector.snapshot().leaks().isEmpty)
    tokens = []
    let leaks = WeirInspector.snapshot().leaks()
    #expect(leaks.map(\.reason).contains(.heldAfterItsEnd), "\(WeirInspector.snapshot())")
    #expect(leaks.map(\.path).contains("Hoarder -> Map -> Sink"), "\(leaks)")
    hoarder.subscribers = []
    #expect(paths == [])
  }

  @Test func aSubscriptionThatWasLetGoOfCannotBeCancelled() {
    let slow = Slow()
    subject.map { $0 }.subscribe(slow)
    #expect(WeirInspector.snapshot().leaks().isEmpty)
    slow.subscription = nil
    let leaks = WeirInspector.snapshot().leaks()
    #expect(Set(leaks.map(\.reason)) == [.notCancellable])
    #expect(leaks.map(\.path).contains("Map -> Slow"), "\(leaks)")
    // Nothing else lets go of it.
    subject.send(completion: .finished)
    #expect(paths == [])
  }

  @Test func subscriptionsThatAreMadeAgainAndAgainGrow() {
    let line = #line + 2
    let graphs = (0..<3).map { _ in
      subject.map { $0 }.sink { _ in }.store(in: &tokens)
      return WeirInspector.snapshot()
    }
    let leaks = graphs[2].leaks(after: Array(graphs[0..<2]))
    #expect(
      leaks.map(\.description) == ["PassthroughSubject -> Map -> Sink: growing, 3 (LiveGraphTests.swift:\(line))"])
  }
}
