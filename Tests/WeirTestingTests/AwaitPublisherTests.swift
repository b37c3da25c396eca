// Tests of waiting for publishers in asynchronous tests.

import TestKit
import Testing
import Weir
import WeirTesting

@Suite struct AwaitPublisherTests {
  @Test func theFirstValueIsReturned() async throws {
    #expect(try await awaitPublisher(Just(1)) == 1)
    #expect(try await awaitPublisher((5...).publisher) == 5)
    let future = Future<Int, Never> { promise in
      let promise = Shared(promise)
      Task { promise.value(.success(7)) }
    }
    #expect(try await awaitPublisher(future, timeout: .seconds(3600)) == 7)
  }

  @Test func theSubscriptionIsCancelled() async throws {
    let mock = MockPublisher<Int, Never>()
    let shared = Shared(mock)
    let sending = Task {
      while shared.value.subscriberCount == 0 { await Task.yield() }
      shared.value.send(3)
    }
    #expect(try await awaitPublisher(mock, timeout: .seconds(3600)) == 3)
    await sending.value
    #expect(mock.subscriberCount == 0)
  }

  @Test func failuresAndEmptyStreamsAreThrown() async {
    await #expect(throws: TestFailure.first) { try await awaitPublisher(Fail<Int, TestFailure>(error: .first)) }
    await #expect(throws: PublisherTestError.finishedEarly) { try await awaitPublisher(Empty<Int, Never>()) }
    await #expect(throws: PublisherTestError.timedOut) {
      try await awaitPublisher(Empty<Int, Never>(completeImmediately: false), timeout: .zero)
    }
  }

  @Test func valuesAreCollected() async throws {
    #expect(await collectValues(from: [1, 2, 3].publisher, during: .seconds(3600)) == [1, 2, 3])
    #expect(await collectValues(from: CurrentValueSubject<Int, Never>(4), during: .zero) == [4])
    #expect(try await collectValues(from: (1...).publisher, count: 3) == [1, 2, 3])
    await #expect(throws: PublisherTestError.finishedEarly) { try await collectValues(from: Just(1), count: 2) }
  }

  @Test func valuesAreCollectedInVirtualTime() {
    let scheduler = TestScheduler()
    let ticks = [1, 2, 3].publisher.flatMap { Just($0).delay(for: .seconds($0), scheduler: scheduler) }
    #expect(collectValues(from: ticks, during: .seconds(2), on: scheduler) == [1, 2])
  }
}
