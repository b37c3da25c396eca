// Tests of the recorder.

import TestKit
import Testing
import Weir

@testable import WeirTesting

@Suite struct PublisherRecorderTests {
  private func expectFailure(saying text: String, _ use: () -> Void) {
    withKnownIssue {
      use()
    } matching: { issue in
      issue.comments.contains { $0.rawValue == text }
    }
  }

  @Test func everythingIsWrittenDown() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = subject.record()
    subject.send(1)
    subject.send(completion: .failure(.second))
    #expect(recorder.events == [.value(1), .completion(.failure(.second))])
    recorder.expect(values: [1])
    recorder.expectFailure(.second)
  }

  @Test func demandIsTheTests() {
    let recorder = PublisherRecorder<Int, Never>(demand: .none)
    recorder.request(.max(1))
    (1...5).publisher.subscribe(recorder)
    recorder.expect(values: [1])
    recorder.request(.max(2))
    recorder.expect(values: [1, 2, 3])
    recorder.cancel()
    recorder.request(.max(1))
    recorder.expect(values: [1, 2, 3])
    #expect(recorder.completion == nil)
  }

  @Test func aSecondSubscriptionAndOneAfterCancellingAreCancelled() {
    let recorder = PublisherRecorder<Int, Never>()
    let mock = MockPublisher<Int, Never>()
    mock.subscribe(recorder)
    mock.subscribe(recorder)
    #expect(mock.subscriberCount == 1)
    recorder.cancel()
    mock.subscribe(recorder)
    #expect(mock.subscriberCount == 0)
  }

  @Test func itCancelsWhenItIsFreed() {
    let mock = MockPublisher<Int, Never>()
    do { withExtendedLifetime(mock.map { $0 + 1 }.record()) {} }
    #expect(mock.totalSubscriberCount == 1)
  }

  @Test func failuresShowTheExpectedLineAboveTheActualOne() {
    let recorder = Just(1).record()
    expectFailure(saying: "the stream has other values\nexpected: [2]\nactual:   [1]") { recorder.expect(values: [2]) }
    let failing = Fail<Int, TestFailure>(error: .first).record()
    expectFailure(
      saying: "the stream has not finished\nexpected: finished\nactual:   failure(TestKit.TestFailure.first)"
    ) {
      failing.expectFinished()
    }
    expectFailure(
      saying: """
        the stream has not failed as expected
        expected: failure(second)
        actual:   failure(TestKit.TestFailure.first)
        """
    ) { failing.expectFailure(.second) }
    let waiting = Empty<Int, Never>(completeImmediately: false).record()
    expectFailure(saying: "the stream has not finished\nexpected: finished\nactual:   no end yet") {
      waiting.expectFinished()
    }
  }

  @Test func waitingEndsWithTheValuesOrTheEnd() async throws {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = subject.record()
    let shared = Shared(subject)
    let sending = Task {
      shared.value.send(1)
      shared.value.send(2)
    }
    #expect(try await recorder.waitForValues(2, timeout: .seconds(3600)) == [1, 2])
    await sending.value
    subject.send(completion: .failure(.first))
    #expect(try await recorder.waitForCompletion(timeout: .seconds(3600)) == .failure(.first))
    await #expect(throws: TestFailure.first) { try await recorder.waitForValues(3) }
    #expect(try await recorder.waitForValues(1) == [1])
  }

  @Test func waitingGivesUpWhenTimeIsUpOrTheTaskIsCancelled() async throws {
    let recorder = Empty<Int, Never>(completeImmediately: false).record()
    await #expect(throws: PublisherTestError.timedOut) { try await recorder.waitForValues(1, timeout: .zero) }
    await #expect(throws: PublisherTestError.timedOut) { try await recorder.waitForCompletion(timeout: .zero) }
    let waiting = Task { try await recorder.waitForValues(1, timeout: .seconds(3600)) }
    waiting.cancel()
    await #expect(throws: PublisherTestError.cancelled) { try await waiting.value }
    let finished = Empty<Int, Never>().record()
    await #expect(throws: PublisherTestError.finishedEarly) { try await finished.waitForValues(1) }
  }

  /// The values and the end are looked at as of one moment.
  @Test func anEndBehindTheValuesIsNotTakenForAnEarlyOne() async {
    for round in 0..<1_000 {
      let subject = PassthroughSubject<Int, TestFailure>()
      let recorder = subject.record()
      let shared = Shared(subject)
      let sending = Task.detached {
        shared.value.send(1)
        shared.value.send(completion: round.isMultiple(of: 2) ? .finished : .failure(.first))
      }
      var values: [Int] = []
      while values.isEmpty {
        do {
          values = try recorder.firstValues(1, .init("", 1, .zero))
        } catch {
          #expect(error as? PublisherTestError == .timedOut)
          await Task.yield()
        }
      }
      await sending.value
    }
  }

  /// Its subscription kept it.
  @Test func aRecorderOfAStreamThatDoesNotEndIsFreed() {
    let publisher = MockPublisher<Int, Never>()
    do {
      let recorder = publisher.record()
      publisher.send(1)
      #expect(recorder.values == [1] && publisher.subscriberCount == 1)
    }
    #expect(publisher.subscriberCount == 0)
  }

  @Test func numbersAndTimesThatMakeNoSense() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record()
    #expect(try await recorder.waitForValues(-1) == [])
    #expect(try await recorder.waitForValues(0) == [])
    #expect(try await collectValues(from: subject, count: -1) == [])
    subject.send(1)
    #expect(try await recorder.waitForValues(1, timeout: .seconds(Int64.max)) == [1])
    #expect(try await recorder.waitForValues(-1, timeout: .seconds(Int64.min)) == [])
    await #expect(throws: PublisherTestError.timedOut) {
      try await recorder.waitForValues(2, timeout: Duration.seconds(Int64.min) * 2)
    }
    subject.send(completion: .finished)
    #expect(try await recorder.waitForCompletion(timeout: .seconds(Int64.max)) == .finished)
  }
}
