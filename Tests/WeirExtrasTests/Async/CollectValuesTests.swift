// Tests of `collectValues`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CollectValuesTests {
  @Test func givesAllValuesOnceTheStreamHasFinished() async throws {
    #expect(try await [1, 2, 3].publisher.collectValues() == [1, 2, 3])
    #expect(try await Empty<Int, TestFailure>().collectValues() == [])
  }

  @Test func throwsTheStreamsError() async {
    let failing = [1, 2].publisher.setFailureType(to: TestFailure.self).append(Fail(error: TestFailure.second))
    await #expect(throws: TestFailure.second) { try await failing.collectValues() }
  }

  @Test func aLimitEndsAnEndlessStream() async throws {
    #expect(try await (1...).publisher.collectValues(limit: 3) == [1, 2, 3])
    #expect(try await [1].publisher.collectValues(limit: 3) == [1])
  }

  /// The commonly copied version took no notice.
  @Test func cancellingTheTaskCancelsTheStream() async {
    let (asked, cancelled) = (Counter(), Counter())
    let task = Task {
      try await PassthroughSubject<Int, TestFailure>()
        .handleEvents(receiveCancel: { cancelled.add() }, receiveRequest: { _ in asked.add() }).collectValues()
    }
    await untilTrue { asked.value == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(cancelled.value == 1)
  }

  /// The commonly copied version added to one array from any thread.
  @Test func valuesOfManyThreadsAreAllThere() async throws {
    let subject = Shared(ReplaySubject<Int, Never>(bufferSize: .max))
    let subscribed = Counter()
    let task = Task {
      try await subject.value.handleEvents(receiveSubscription: { _ in subscribed.add() }).collectValues()
    }
    await untilTrue { subscribed.value == 1 }
    onThreads(8) { thread in
      for number in 0..<100 { subject.value.send(thread * 100 + number) }
    }
    subject.value.send(completion: .finished)
    let isComplete = try await task.value.sorted() == Array(0..<800)
    #expect(isComplete)
  }

  /// No value waited for ever, and fewer stopped the program.
  @Test func lessThanOneValueIsNone() async throws {
    let subject = PassthroughSubject<Int, Never>()
    #expect(try await subject.collectValues(limit: 0) == [])
    #expect(try await subject.collectValues(limit: -1) == [])
  }

  /// It returned none.
  @Test func aCancelledTaskIsToldSoAlsoWhereNoValueIsEnough() async {
    let task = Task { () -> [Int] in
      await untilCancelled()
      return try await Just(1).collectValues(limit: 0)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
