// Tests of `fromAsync` and `asyncToPublisher`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct FromAsyncTests {
  @Test func runsOncePerSubscriber() async throws {
    let runs = Counter()
    let publisher = AnyPublisher<Int, any Error>.fromAsync { runs.add() }
    #expect(runs.value == 0)
    #expect(try await publisher.firstValue() == 1)
    #expect(try await publisher.async() == 2)
  }

  @Test func passesAnErrorOn() async {
    await #expect(throws: TestFailure.second) {
      try await asyncToPublisher { () -> Int in throw TestFailure.second }.firstValue()
    }
  }

  /// The commonly copied version's task ran on.
  @Test func cancellingTheSubscriptionCancelsTheTask() async {
    let (started, cancelled) = (Counter(), Counter())
    let cancellable = asyncToPublisher {
      started.add()
      await untilCancelled()
      cancelled.add()
    }.sink(receiveCompletion: { _ in Issue.record("an end after the cancellation") }, receiveValue: {})
    await untilTrue { started.value == 1 }
    cancellable.cancel()
    await untilTrue { cancelled.value == 1 }
  }

  @Test func theTypeIsInferredFromTheOperation() async throws {
    func load() async throws -> String { "loaded" }
    let publisher = AnyPublisher.fromAsync { try await load() }
    #expect(try await publisher.collectValues() == ["loaded"])
  }
}
