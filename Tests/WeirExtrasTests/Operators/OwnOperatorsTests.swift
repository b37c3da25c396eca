// Tests that a project's own operators go before ours of the same name.

import TestKit
import Testing
import Weir
import WeirExtras

extension Publisher {
  fileprivate func retryWithBackoff(maxRetries: Int, initialDelay: Double = 0.5) -> AnyPublisher<Output, Failure> {
    Empty().eraseToAnyPublisher()
  }

  fileprivate func filterOrComplete(_ predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    Empty().eraseToAnyPublisher()
  }

  fileprivate func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, resultSelector: @escaping (Output, Other.Output) -> Result
  ) -> AnyPublisher<Result, Failure> where Other.Failure == Failure { Empty().eraseToAnyPublisher() }

  fileprivate func flatMapLatest<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> AnyPublisher<Inner.Output, Failure> where Inner.Failure == Failure { Empty().eraseToAnyPublisher() }

  fileprivate func flatMapFirst<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> AnyPublisher<Inner.Output, Failure> where Inner.Failure == Failure { Empty().eraseToAnyPublisher() }

  fileprivate func pairwise() -> AnyPublisher<(Output, Output), Failure> { Empty().eraseToAnyPublisher() }
  fileprivate func shareReplay() -> AnyPublisher<Output, Failure> { Empty().eraseToAnyPublisher() }
  fileprivate func mapVoid() -> AnyPublisher<Void, Failure> { Empty().eraseToAnyPublisher() }
  fileprivate func ignoreFailure() -> AnyPublisher<Output, Never> { Empty().eraseToAnyPublisher() }
  fileprivate func materialize() -> AnyPublisher<Int, Never> { Empty().eraseToAnyPublisher() }
  fileprivate func mapToNetworkState() -> AnyPublisher<Int, Never> { Empty().eraseToAnyPublisher() }

  fileprivate func filterNils<Wrapped>() -> AnyPublisher<Wrapped, Failure> where Output == Wrapped? {
    Empty().eraseToAnyPublisher()
  }
}

/// What an operator of a project returns here.
private struct Own {}

/// The same arguments as ours, and another result; on any streams, also where ours are for those that can't fail.
extension Publisher {
  fileprivate func mapAsync<Result>(_ transform: @escaping (Output) async -> Result) -> Own { Own() }
  fileprivate func compactMapAsync<Result>(_ transform: @escaping (Output) async -> Result?) -> Own { Own() }
  fileprivate func sinkAsync(receiveValue: @escaping (Output) async -> Void) -> Own { Own() }
  fileprivate func collectValues() async throws -> Own { Own() }
  fileprivate func collectValues(limit: Int) async throws -> Own { Own() }
  fileprivate func firstValue() async throws -> Own { Own() }
  fileprivate func async() async throws -> Own { Own() }
  fileprivate func assignWeak<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> Own { Own() }
  fileprivate func shareReplay(bufferSize: Int) -> Own { Own() }
  fileprivate func measured(_ name: String) -> Own { Own() }
  fileprivate func checkpoint(_ name: String) -> Own { Own() }
  fileprivate func carrying(_ local: TaskLocal<String>) -> Own { Own() }
  fileprivate func capturing(_ local: TaskLocal<String>) -> Own { Own() }
  fileprivate func subscribe(_ relay: PassthroughRelay<Output>) -> Own { Own() }
  fileprivate func subscribe(_ relay: CurrentValueRelay<Output>) -> Own { Own() }
  fileprivate func retry<Trigger: Publisher>(
    when trigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> Own { Own() }
  fileprivate func retryWithBackoff<Context: Scheduler>(
    maxRetries: Int, initialDelay: Double = 1, jitter: Double = 0, scheduler: Context
  ) -> Own { Own() }
  fileprivate func combineLatest<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Own where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure { Own() }
  fileprivate func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Own where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure { Own() }
}

extension AnyPublisher {
  fileprivate static func fromAsync(_ operation: @escaping () async throws -> Output) -> Own { Own() }
  fileprivate static func fromAsyncSequence<Source: AsyncSequence>(_ sequence: Source) -> Own { Own() }
}

extension AnyCancellable {
  fileprivate func store<Key: Hashable>(
    in subscriptions: inout [Key: AnyCancellable], key: Key, replacingExisting: Bool = true
  ) -> Own { Own() }
  fileprivate func store(in set: inout Set<AnyCancellable>, key: String, replacingExisting: Bool = true) -> Own {
    Own()
  }
}

extension Publisher where Self: Sendable {
  fileprivate func eraseToAnySendablePublisher() -> Own { Own() }
}

extension Collection where Element: Publisher {
  fileprivate func combineLatest() -> Own { Own() }
  fileprivate func zip() -> Own { Own() }
}

@Suite struct OwnOperatorsTests {
  private final class Object {
    var value = 0
  }

  /// Several lost to ours, or were ambiguous, which doesn't compile.
  @Test func thoseOfTheSameArgumentsGoBeforeOurs() async throws {
    let stream = Just(1)
    let failing = stream.setFailureType(to: (any Error).self)
    let all: [Any] = [
      stream.mapAsync { $0 }, stream.compactMapAsync { Optional($0) }, stream.sinkAsync { _ in },
      try await stream.collectValues(), try await stream.collectValues(limit: 1), try await stream.firstValue(),
      try await failing.firstValue(), try await failing.async(), stream.assignWeak(to: \Object.value, on: Object()),
      stream.shareReplay(bufferSize: 1), stream.retry(when: { $0 }), failing.retry(when: { $0.map { _ in } }),
      stream.measured("numbers"), stream.checkpoint("numbers"), stream.carrying(Sender.$id),
      stream.capturing(Sender.$id),
      stream.retryWithBackoff(maxRetries: 1, jitter: 0.5, scheduler: ImmediateScheduler.shared),
      stream.combineLatest(stream, stream, stream, stream), stream.zip(stream, stream, stream, stream),
      PassthroughSubject<Int, Never>().eraseToAnySendablePublisher(), [stream].combineLatest(), [stream].zip(),
      AnyPublisher<Int, any Error>.fromAsync { 1 }, AnyPublisher<Int, any Error>.fromAsyncSequence(stream.values),
    ]
    var (byKey, set) = ([String: AnyCancellable](), Set<AnyCancellable>())
    let kept: [Any] = [
      stream.subscribe(PassthroughRelay<Int>()), stream.subscribe(CurrentValueRelay(0)),
      AnyCancellable {}.store(in: &byKey, key: "a"), AnyCancellable {}.store(in: &set, key: "a"),
    ]
    for result in all + kept { #expect(result is Own) }
  }

  @Test func aProjectsOwnOperatorsGoBeforeOurs() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    Just(1).retryWithBackoff(maxRetries: 2).filterOrComplete { _ in true }.subscribe(recorder)
    Just(1).retryWithBackoff(maxRetries: 2, initialDelay: 1).subscribe(recorder)
    Just(1).filterOrComplete { $0 > 0 }.subscribe(recorder)
    #expect(recorder.values == [])
    #expect(recorder.completions == [.finished, .finished, .finished])
  }

  @Test func thoseThatDifferOnlyInWhatTheyReturnGoBeforeOurs() {
    let stream = Just(1)
    var count = 0
    func ask(_ publisher: some Publisher) {
      _ = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in count += 1 })
    }
    ask(stream.withLatestFrom(stream) { $0 + $1 })
    ask(stream.flatMapLatest { Just($0) })
    ask(stream.flatMapFirst { Just($0) })
    ask(stream.pairwise())
    ask(stream.shareReplay())
    ask(stream.mapVoid())
    ask(stream.ignoreFailure())
    ask(stream.materialize())
    ask(stream.mapToNetworkState())
    ask(stream.map { Optional($0) }.filterNils())
    #expect(count == 0)
  }
}
