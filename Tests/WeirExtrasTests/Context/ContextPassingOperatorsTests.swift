// Tests that each operator which passes values on as they come keeps the mark of streams that carry a context, before
// each operator that delivers later or elsewhere.

import TestKit
import Testing
import Weir
import WeirExtras

/// An operator of a project.
private struct Doubled<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.map { $0 * 2 }.subscribe(subscriber)
  }
}

extension Doubled: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}

private typealias Source = Publishers.Carrying<PassthroughSubject<Int, TestFailure>, TaskLocal<String>>

/// An operator before an edge.
struct PassingOperator: CustomTestStringConvertible, Sendable {
  fileprivate let apply: @Sendable (Source, Edge, ManualScheduler) -> AnyPublisher<Int, TestFailure>
  let testDescription: String

  fileprivate init(
    _ name: String, _ apply: @escaping @Sendable (Source, Edge, ManualScheduler) -> AnyPublisher<Int, TestFailure>
  ) {
    testDescription = name
    self.apply = apply
  }

  private static var zero: some Publisher<Int, TestFailure> { Just(0).setFailureType(to: TestFailure.self) }
  private static var nothing: Empty<Int, TestFailure> { Empty() }
  private static var never: Empty<Int, TestFailure> { Empty(completeImmediately: false) }

  /// Where lines go that nobody reads.
  private struct Nowhere: TextOutputStream {
    mutating func write(_ string: String) {}
  }

  static let one: [PassingOperator] = [
    PassingOperator("carrying") { $1($0, $2) },
    PassingOperator("map") { $1($0.map { $0 }, $2) },
    PassingOperator("mapKeyPath") { $1($0.map(\.self), $2) },
    PassingOperator("mapKeyPaths") { $1($0.map(\.self, \.self, \.self).map { $0.0 }, $2) },
    PassingOperator("tryMap") { $1($0.tryMap { $0 }.mapError { $0 as! TestFailure }, $2) },
    PassingOperator("compactMap") { $1($0.compactMap { Optional($0) }, $2) },
    PassingOperator("tryCompactMap") { $1($0.tryCompactMap { Optional($0) }.mapError { $0 as! TestFailure }, $2) },
    PassingOperator("filter") { $1($0.filter { _ in true }, $2) },
    PassingOperator("tryFilter") { $1($0.tryFilter { _ in true }.mapError { $0 as! TestFailure }, $2) },
    PassingOperator("scan") { $1($0.scan(0) { $1 }, $2) },
    PassingOperator("removeDuplicates") { $1($0.removeDuplicates(), $2) },
    PassingOperator("dropWhile") { $1($0.drop { _ in false }, $2) },
    PassingOperator("prefixWhile") { $1($0.prefix { _ in true }, $2) },
    PassingOperator("output") { $1($0.output(in: 0...), $2) },
    PassingOperator("dropFirst") { $1($0.dropFirst(0), $2) },
    PassingOperator("collect") { $1($0.collect(1).map { $0[0] }, $2) },
    PassingOperator("handleEvents") { $1($0.handleEvents(receiveOutput: { _ in }), $2) },
    PassingOperator("print") { $1($0.print(to: Nowhere()), $2) },
    PassingOperator("breakpoint") { $1($0.breakpoint(), $2) },
    PassingOperator("replaceEmpty") { $1($0.replaceEmpty(with: 0), $2) },
    PassingOperator("replaceError") { $1($0.replaceError(with: 0).setFailureType(to: TestFailure.self), $2) },
    PassingOperator("assertNoFailure") { $1($0.assertNoFailure().setFailureType(to: TestFailure.self), $2) },
    PassingOperator("subscribeOn") { $1($0.subscribe(on: ImmediateScheduler.shared), $2) },
    PassingOperator("share") { $1($0.share(), $2) },
    PassingOperator("multicast") { $1($0.multicast { PassthroughSubject() }.autoconnect(), $2) },
    PassingOperator("makeConnectable") {
      $1($0.assertNoFailure().makeConnectable().autoconnect().setFailureType(to: TestFailure.self), $2)
    },
    PassingOperator("ignoreFailure") { $1($0.ignoreFailure().setFailureType(to: TestFailure.self), $2) },
    PassingOperator("materialize") { $1($0.materialize().dematerialize(), $2) },
    PassingOperator("measured") { $1($0.measured("numbers", in: StreamMetrics()), $2) },
  ]

  static let several: [PassingOperator] = [
    PassingOperator("merge") { $1($0.merge(with: nothing), $2) },
    PassingOperator("merge with the same type") { source, edge, scheduler in
      edge(source.map(Optional.some).merge(with: source.map { _ in nil }).compactMap { $0 }, scheduler)
    },
    PassingOperator("merge3") { $1($0.merge(with: nothing, nothing).contention(.handOver), $2) },
    PassingOperator("combineLatest") { $1($0.combineLatest(zero).map { $0.0 }, $2) },
    PassingOperator("combineLatest3") { $1($0.combineLatest(zero, zero).map { $0.0 }, $2) },
    PassingOperator("zip") {
      $1($0.zip((0...9).publisher.setFailureType(to: TestFailure.self)).map { $0.0 }, $2)
    },
    PassingOperator("append") { $1($0.append(nothing), $2) },
    PassingOperator("prepend a stream") { $1($0.prepend(nothing), $2) },
    PassingOperator("prepend a sequence") { $1($0.prepend([0, 0]).dropFirst(2), $2) },
    PassingOperator("prepend values") { $1($0.prepend(0, 0).dropFirst(2), $2) },
    PassingOperator("catch") { $1($0.catch { _ in nothing }, $2) },
    PassingOperator("retry") { $1($0.retry(0), $2) },
    PassingOperator("dropUntilOutput") { $1($0.drop(untilOutputFrom: zero), $2) },
    PassingOperator("prefixUntilOutput") { $1($0.prefix(untilOutputFrom: never), $2) },
    PassingOperator("withLatestFrom") { $1($0.withLatestFrom(zero) { value, _ in value }, $2) },
    PassingOperator("retryWithBackoffOnAQueue") { $1($0.retryWithBackoff(maxRetries: 0), $2) },
    PassingOperator("filterOrComplete") { $1($0.filterOrComplete { _ in true }, $2) },
    PassingOperator("retryWithBackoff") {
      $1($0.retryWithBackoff(maxRetries: 0, scheduler: ImmediateScheduler.shared), $2)
    },
    PassingOperator("retryWhen") { $1($0.retry(when: { _ in never }), $2) },
  ]
}

@Suite struct ContextPassingOperatorsTests {
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let scheduler = ManualScheduler()
  private let log = Log<String>()

  /// Sends two values and an end, each as another, with time between.
  private func send(_ completion: Subscribers.Completion<TestFailure>) {
    by("a") { subject.send(1) }
    scheduler.advance(by: 10)
    by("b") { subject.send(2) }
    scheduler.advance(by: 10)
    by("c") { subject.send(completion: completion) }
    scheduler.advance(by: 10)
  }

  @Test(arguments: PassingOperator.one + PassingOperator.several, Edge.allCases)
  func eachOperatorBeforeEachEdgeKeepsTheContext(sut: PassingOperator, edge: Edge) {
    let sink = sut.apply(subject.carrying(Sender.$id), edge, scheduler).noted(in: log)
    send(.finished)
    #expect(log.all == ["1 a", "2 b", "end c"])
    withExtendedLifetime(sink) {}
  }

  @Test(arguments: Edge.allCases) func aFailureKeepsTheContext(edge: Edge) {
    let sink = edge(subject.carrying(Sender.$id).map { $0 }, scheduler).noted(in: log)
    send(.failure(.first))
    #expect(log.all == ["1 a", "2 b", "failure c"])
    withExtendedLifetime(sink) {}
  }

  @Test(arguments: Edge.allCases, Edge.allCases) func anEdgeBehindAnotherKeepsTheContext(first: Edge, second: Edge) {
    let stream = first(subject.carrying(Sender.$id), scheduler)
    let sink = second(stream.carrying(Sender.$id), scheduler).noted(in: log)
    send(.finished)
    #expect(log.all == ["1 a", "2 b", "end c"])
    withExtendedLifetime(sink) {}
  }

  @Test(arguments: Edge.allCases) func anOperatorOfAProjectPassesTheMarkOn(edge: Edge) {
    let sink = edge(Doubled(upstream: subject.carrying(Sender.$id)), scheduler).noted(in: log)
    send(.finished)
    #expect(log.all == ["2 a", "4 b", "end c"])
    withExtendedLifetime(sink) {}
  }

  /// What makes one value of all has it in the context of the end.
  @Test func aResultComesInTheContextOfTheEnd() {
    let stream = subject.carrying(Sender.$id)
    let sinks = [
      stream.reduce(0) { $0 + $1 }.receive(on: scheduler).noted(in: log),
      stream.count().receive(on: scheduler).noted(in: log),
      stream.last().receive(on: scheduler).noted(in: log),
      stream.collect().receive(on: scheduler).noted(in: log),
      stream.max().receive(on: scheduler).noted(in: log),
      stream.allSatisfy { $0 > 0 }.receive(on: scheduler).noted(in: log),
    ]
    send(.finished)
    let values = ["3", "2", "2", "[1, 2]", "2", "true"]
    #expect(log.all.sorted() == (values.map { "\($0) c" } + values.map { _ in "end c" }).sorted())
    withExtendedLifetime(sinks) {}
  }

  @Test func aResultThatAValueBringsComesInTheContextOfItsSender() {
    let stream = subject.carrying(Sender.$id)
    let sinks = [
      stream.first().receive(on: scheduler).noted(in: log),
      stream.contains(2).receive(on: scheduler).noted(in: log),
      stream.allSatisfy { $0 > 1 }.receive(on: scheduler).noted(in: log),
    ]
    send(.finished)
    #expect(log.all.sorted() == ["1 a", "end a", "end a", "end b", "false a", "true b"])
    withExtendedLifetime(sinks) {}
  }

  @Test func aTupleComesInTheContextOfWhoHasCompletedIt() {
    let other = PassthroughSubject<Int, TestFailure>()
    let sinks = [
      subject.carrying(Sender.$id).zip(other).map { $0.0 }.receive(on: scheduler).noted(in: log),
      subject.carrying(Sender.$id).combineLatest(other).map { $0.0 }.receive(on: scheduler).noted(in: log),
    ]
    by("a") { subject.send(1) }
    by("b") { other.send(2) }
    scheduler.run()
    #expect(log.all == ["1 b", "1 b"])
    withExtendedLifetime(sinks) {}
  }
}
