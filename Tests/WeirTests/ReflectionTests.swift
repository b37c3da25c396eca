// What each operator shows of itself to debuggers and playgrounds: Combine's names, and the labels of its mirrors.

import TestKit
import Testing
import Weir

/// A publisher that keeps its subscriber as it is.
private final class Keeper: Publisher {
  typealias Output = Int
  typealias Failure = TestFailure

  private(set) var subscriber: (any Subscriber)?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
    self.subscriber = subscriber
    subscriber.receive(subscription: RecordingSubscription())
  }
}

/// A connectable publisher that tells of its subscribers.
private struct SeenConnectable: ConnectablePublisher {
  typealias Output = Int
  typealias Failure = Never

  let tell: (any Subscriber) -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { tell(subscriber) }
  func connect() -> any Cancellable { AnyCancellable {} }
}

/// An operator, and what Combine shows of it.
struct Reflected: CustomTestStringConvertible, @unchecked Sendable {
  let testDescription: String
  /// The labels of the mirror of the subscriber that the upstream sees.
  let labels: [String?]
  /// What the subscription that the downstream sees is called; the upstream's own if the operator has none.
  let subscription: String
  fileprivate let subscribe: (Keeper, ManualScheduler, Observer) -> Void

  fileprivate init<Applied: Publisher>(
    _ name: String, _ labels: [String?] = [], subscription: String? = nil,
    _ apply: @escaping (Keeper, ManualScheduler) -> Applied
  ) {
    testDescription = name
    self.labels = labels
    self.subscription = subscription ?? name
    subscribe = { keeper, scheduler, observer in
      let recorder = RecordingSubscriber<Applied.Output, Applied.Failure>()
      apply(keeper, scheduler).subscribe(recorder)
      observer.subscription = recorder.subscriptions.first
    }
  }

  fileprivate final class Observer {
    var subscription: (any Subscription)?
  }

  private static let own = "RecordingSubscription"
  private static let fold = ["downstream", "result", "initial", "status"]

  fileprivate static let all = [
    Reflected("Map", subscription: own) { upstream, _ in upstream.map { $0 } },
    Reflected("TryMap") { upstream, _ in upstream.tryMap { $0 } },
    Reflected("MapError", subscription: own) { upstream, _ in upstream.mapError { $0 } },
    Reflected("ValueForKey", ["keyPath"], subscription: own) { upstream, _ in upstream.map(\.description as KeyPath) },
    Reflected("ValueForKeys", ["keyPath0", "keyPath1"], subscription: own) { upstream, _ in
      upstream.map(\.description, \.magnitude)
    },
    Reflected("Filter", subscription: own) { upstream, _ in upstream.filter { _ in true } },
    Reflected("TryFilter", ["downstream"]) { upstream, _ in upstream.tryFilter { _ in true } },
    Reflected("CompactMap", subscription: own) { upstream, _ in upstream.compactMap { Optional($0) } },
    Reflected("TryCompactMap", ["downstream"]) { upstream, _ in upstream.tryCompactMap { Optional($0) } },
    Reflected("Scan", ["downstream", "result"], subscription: own) { upstream, _ in upstream.scan(0) { $0 + $1 } },
    Reflected("TryScan", ["downstream", "status", "result"]) { upstream, _ in upstream.tryScan(0) { $0 + $1 } },
    Reflected("RemoveDuplicates", ["downstream", "last"]) { upstream, _ in upstream.removeDuplicates() },
    Reflected("TryRemoveDuplicates", ["downstream", "last"]) { upstream, _ in
      upstream.tryRemoveDuplicates { $0 == $1 }
    },
    Reflected("Collect", ["count"]) { upstream, _ in upstream.collect() },
    Reflected("CollectByCount", ["downstream", "upstreamSubscription", "buffer", "count"]) { upstream, _ in
      upstream.collect(3)
    },
    Reflected("Reduce", fold) { upstream, _ in upstream.reduce(0) { $0 + $1 } },
    Reflected("TryReduce", fold) { upstream, _ in upstream.tryReduce(0) { $0 + $1 } },
    Reflected("Count", fold) { upstream, _ in upstream.count() },
    Reflected("Comparison", fold) { upstream, _ in upstream.max() },
    Reflected("TryComparison", fold) { upstream, _ in upstream.tryMin { $0 < $1 } },
    Reflected("First", fold) { upstream, _ in upstream.first() },
    Reflected("TryFirst", fold) { upstream, _ in upstream.first { _ in true } },
    Reflected("TryFirstWhere", fold) { upstream, _ in upstream.tryFirst { _ in true } },
    Reflected("Last", fold) { upstream, _ in upstream.last() },
    Reflected("LastWhere", fold) { upstream, _ in upstream.last { _ in true } },
    Reflected("TryLastWhere", fold) { upstream, _ in upstream.tryLast { _ in true } },
    Reflected("Contains", fold) { upstream, _ in upstream.contains(1) },
    Reflected("ContainsWhere", fold) { upstream, _ in upstream.contains { _ in true } },
    Reflected("TryContainsWhere", fold) { upstream, _ in upstream.tryContains { _ in true } },
    Reflected("AllSatisfy", fold) { upstream, _ in upstream.allSatisfy { _ in true } },
    Reflected("TryAllSatisfy", fold) { upstream, _ in upstream.tryAllSatisfy { _ in true } },
    Reflected("IgnoreOutput", subscription: own) { upstream, _ in upstream.ignoreOutput() },
    Reflected("Output") { upstream, _ in upstream.prefix(2) },
    Reflected("PrefixWhile", ["downstream"]) { upstream, _ in upstream.prefix { _ in true } },
    Reflected("TryPrefixWhile", ["downstream"]) { upstream, _ in upstream.tryPrefix { _ in true } },
    Reflected("Drop") { upstream, _ in upstream.dropFirst() },
    Reflected("DropWhile") { upstream, _ in upstream.drop { _ in true } },
    Reflected("TryDropWhile") { upstream, _ in upstream.tryDrop { _ in true } },
    Reflected("DropUntilOutput") { upstream, _ in upstream.drop(untilOutputFrom: Keeper()) },
    Reflected("ReplaceEmpty") { upstream, _ in upstream.replaceEmpty(with: 1) },
    Reflected("ReplaceError") { upstream, _ in upstream.replaceError(with: 1) },
    Reflected("SetFailureType", subscription: own) { upstream, _ in
      upstream.assertNoFailure().setFailureType(to: TestFailure.self)
    },
    Reflected("AssertNoFailure", ["file", "line", "prefix"], subscription: own) { upstream, _ in
      upstream.assertNoFailure("prefix", file: "file", line: 7)
    },
    Reflected("Catch", ["downstream", "demand"]) { upstream, _ in upstream.catch { Fail(error: $0) } },
    Reflected("TryCatch", ["downstream", "demand"]) { upstream, _ in upstream.tryCatch { Fail(error: $0) } },
    Reflected("Concatenate") { upstream, _ in upstream.append(1) },
    Reflected("Retry") { upstream, _ in upstream.retry(1) },
    Reflected("FlatMap") { upstream, _ in upstream.flatMap { Just($0) } },
    Reflected("Merge") { upstream, _ in upstream.merge(with: Keeper()) },
    Reflected("Zip") { upstream, _ in upstream.zip(Keeper()) },
    Reflected("CombineLatest") { upstream, _ in upstream.combineLatest(Keeper()) },
    Reflected("Buffer", ["values", "state", "downstreamDemand", "terminal"]) { upstream, _ in
      upstream.buffer(size: 13, prefetch: .keepFull, whenFull: .dropNewest)
    },
    Reflected("Breakpoint", subscription: own) { upstream, _ in upstream.breakpointOnError() },
    Reflected("HandleEvents") { upstream, _ in upstream.handleEvents() },
    Reflected("Print") { upstream, _ in upstream.print() },
    Reflected("Debounce", ["downstream", "downstreamDemand", "currentValue"]) { upstream, scheduler in
      upstream.debounce(for: 1, scheduler: scheduler)
    },
    Reflected("Throttle") { upstream, scheduler in upstream.throttle(for: 1, scheduler: scheduler, latest: true) },
    Reflected("Timeout") { upstream, scheduler in upstream.timeout(1, scheduler: scheduler) },
    Reflected("MeasureInterval") { upstream, scheduler in upstream.measureInterval(using: scheduler) },
    Reflected("ReceiveOn") { upstream, scheduler in upstream.receive(on: scheduler) },
  ]
}

@Suite struct ReflectionTests {
  private let keeper = Keeper()
  private let observer = Reflected.Observer()

  @Test(arguments: Reflected.all.filter { $0.testDescription != "SetFailureType" })
  func theUpstreamSeesCombinesName(_ operator: Reflected) throws {
    `operator`.subscribe(keeper, ManualScheduler(), observer)
    let subscriber = try #require(keeper.subscriber)
    #expect((subscriber as? any CustomStringConvertible)?.description == `operator`.testDescription)
    #expect(!(subscriber is any CustomDebugStringConvertible))
    let shown = (subscriber as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription as? String
    #expect(shown == `operator`.testDescription)
    let mirror = try #require((subscriber as? any CustomReflectable)?.customMirror)
    #expect(mirror.children.map(\.label) == `operator`.labels)
    #expect(mirror.superclassMirror == nil)
  }

  @Test(arguments: Reflected.all)
  func theDownstreamSeesCombinesName(_ operator: Reflected) throws {
    `operator`.subscribe(keeper, ManualScheduler(), observer)
    let subscription = try #require(observer.subscription)
    #expect((subscription as? any CustomStringConvertible)?.description == `operator`.subscription)
    #expect(!(subscription is any CustomDebugStringConvertible))
    guard `operator`.subscription == `operator`.testDescription else { return }
    #expect(subscription is any CustomReflectable)
    let shown = (subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription as? String
    #expect(shown == `operator`.testDescription)
    #expect(Mirror(reflecting: subscription).superclassMirror == nil)
  }

  @Test func originsShowNothingOfTheEngine() throws {
    func shown(_ publisher: some Publisher<Int, Never>) -> String {
      let recorder = RecordingSubscriber<Int, Never>()
      publisher.subscribe(recorder)
      var text = ""
      for subscription in recorder.subscriptions { dump(subscription, to: &text) }
      return text
    }
    let promised = Future<Int, Never> { _ in }
    let texts = [
      shown(PassthroughSubject()), shown(CurrentValueSubject(1)), shown([1, 2].publisher), shown(Just(1)),
      shown(promised),
      shown(Deferred { Just(1) }), shown(Record(output: [1, 2], completion: .finished)), shown(Empty()),
      shown(Just(1).multicast { PassthroughSubject<Int, Never>() }.autoconnect()), shown(PassthroughSubject().share()),
    ]
    for text in texts { #expect(!text.contains("super") && !text.contains("Link"), "\(text)") }
  }

  @Test func anInnerSubscriberHasItsOperatorsName() throws {
    let inner = Keeper()
    let flatMap = RecordingSubscriber<Int, TestFailure>(.unlimited)
    Just(1).setFailureType(to: TestFailure.self).flatMap { _ in inner }.subscribe(flatMap)
    let child = try #require(inner.subscriber)
    #expect((child as? any CustomStringConvertible)?.description == "FlatMap")
    let mirror = try #require((child as? any CustomReflectable)?.customMirror)
    #expect(mirror.children.map(\.label) == ["parentSubscription"])
    let flatMapIdentifier = try #require(flatMap.subscriptions.first?.combineIdentifier)
    #expect(mirror.children.map { "\($0.value)" } == ["\(flatMapIdentifier)"])
  }

  @Test func aBuffersMirrorShowsWhatWaits() throws {
    let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(1))
    source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    let children = try #require(source.subscriber).customMirror.children.map { "\($0.label ?? "") \($0.value)" }
    #expect(
      children == [
        "values [2, 3]", "state subscribed", "downstreamDemand max(0)",
        "terminal Optional(Weir.Subscribers.Completion<TestKit.TestFailure>.finished)",
      ])
  }

  @Test func operatorsThatKeepNothingForMirrorsShowNothing() throws {
    let operators = Reflected.all.filter { ["Print", "HandleEvents", "TryMap", "Output"].contains($0.testDescription) }
    for shown in operators {
      shown.subscribe(keeper, ManualScheduler(), observer)
      #expect(Mirror(reflecting: try #require(observer.subscription)).children.isEmpty, "\(shown.testDescription)")
    }
    let recorder = RecordingSubscriber<Int, Never>()
    PassthroughSubject<Int, Never>().share().subscribe(recorder)
    #expect(Mirror(reflecting: try #require(recorder.subscriptions.first)).children.isEmpty)
  }

  @Test func aSubjectShowsWhatItKnowsAndNotItsMemory() throws {
    let subject = CurrentValueSubject<Int, TestFailure>(3)
    let recorder = RecordingSubscriber<Int, TestFailure>()
    subject.subscribe(recorder)
    var text = ""
    dump(subject, to: &text)
    for word in ["currentValue: 3", "completion: nil", "downstreams: 1 element", "RecordingSubscriber"] {
      #expect(text.contains(word), "\(word) in \(text)")
    }
    for word in ["slots", "gate", "pointer"] { #expect(!text.contains(word), "\(word) in \(text)") }
  }

  @Test func aSubjectIsShownFromWithinItsDelivery() {
    let subject = PassthroughSubject<Int, Never>()
    var text = ""
    let cancellable = subject.sink { _ in dump(subject, to: &text) }
    subject.send(1)
    #expect(text.contains("downstreams: 1 element"))
    cancellable.cancel()
  }

  @Test func anAutoconnectsSubscriberShowsItsParentAndItsDownstream() throws {
    var seen: (any Subscriber)?
    let connectable = SeenConnectable { seen = $0 }
    let autoconnect = connectable.autoconnect()
    autoconnect.subscribe(RecordingSubscriber<Int, Never>())
    let subscriber = try #require(seen)
    let mirror = Mirror(reflecting: subscriber)
    #expect(mirror.children.map(\.label) == ["parent", "downstream"])
    #expect(mirror.children.first?.value as AnyObject === autoconnect)
  }

  @Test func anAutoconnectsSubscriptionHasTheNameOfItsUpstreams() throws {
    let keeper = Keeper()
    let connectable = keeper.assertNoFailure().makeConnectable()
    let recorder = RecordingSubscriber<Int, Never>()
    connectable.autoconnect().subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(subscription is any CustomPlaygroundDisplayConvertible)
    #expect("\(subscription)" == "Multicast")
  }
}
