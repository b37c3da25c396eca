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
}
