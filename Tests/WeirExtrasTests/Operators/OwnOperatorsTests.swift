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

@Suite struct OwnOperatorsTests {
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
