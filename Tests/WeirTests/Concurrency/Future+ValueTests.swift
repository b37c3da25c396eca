// Tests of waiting for a future in asynchronous code.

import TestKit
import Testing
import Weir

@Suite struct FutureValueTests {
  /// A promise that may be handed to another task.
  private struct Kept<Output, Failure: Error>: @unchecked Sendable {
    let promise: Future<Output, Failure>.Promise
  }

  @Test func returnsAValueThatIsThere() async throws {
    #expect(await Future<Int, Never> { $0(.success(42)) }.value == 42)
    #expect(try await Future<Int, TestFailure> { $0(.success(42)) }.value == 42)
  }

  @Test func throwsTheError() async {
    await #expect(throws: TestFailure.second) {
      try await Future<Int, TestFailure> { $0(.failure(.second)) }.value
    }
  }

  @Test func waitsForAValueFromAnotherTask() async {
    var kept: Kept<Int, Never>?
    let future = Future<Int, Never> { kept = Kept(promise: $0) }
    let toKeep = kept!
    let task = Task { toKeep.promise(.success(7)) }
    #expect(await future.value == 7)
    await task.value
  }

  @MainActor @Test func canBeAwaitedOnAnActor() async {
    let future = Future<LifetimeTracked?, Never> { $0(.success(nil)) }
    #expect(await future.value == nil)
    MainActor.assertIsolated()
  }
}
