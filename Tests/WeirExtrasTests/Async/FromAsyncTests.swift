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

  @Test func theTaskHasThePriorityThatIsNamedOrThatOfTheSubscriber() async throws {
    #expect(try await asyncToPublisher(priority: .low) { Task.basePriority }.firstValue() == .low)
    let seen = Log<TaskPriority?>()
    // Whoever awaited this task would raise its priority.
    _ = Task(priority: .low) { seen.add(try await asyncToPublisher { Task.basePriority }.firstValue()) }
    await untilTrue { !seen.all.isEmpty }
    #expect(seen.all == [.low])
  }

  @MainActor @Test func theOperationRunsOnTheActorThatItIsFormedOn() async throws {
    var runs = 0
    let publisher = asyncToPublisher {
      MainActor.assertIsolated()
      runs += 1
      return runs
    }
    #expect(try await publisher.firstValue() == 1)
    #expect(runs == 1)
  }

  @Test func theTypeIsInferredFromTheOperation() async throws {
    func load() async throws -> String { "loaded" }
    let publisher = AnyPublisher.fromAsync { try await load() }
    #expect(try await publisher.collectValues() == ["loaded"])
  }
}
