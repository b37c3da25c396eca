// Waiting for a future's result in asynchronous code.
// The accessors are inlinable, not `@_alwaysEmitIntoClient` as elsewhere: the compiler leaves an accessor that awaits
// out of clients' object files, and linking fails.

extension Future where Failure == Never {
  /// The value, as soon as there is one.
  ///
  /// Cancelling the task does not end the wait. If nobody holds the promise any more and it was not kept, the wait
  /// never ends.
  @inlinable @inline(never) public nonisolated(nonsending) final var value: Output {
    get async { await core.awaitedOutcome().get() }
  }
}

extension Future {
  /// The value, as soon as there is one.
  ///
  /// Cancelling the task does not end the wait. If nobody holds the promise any more and it was not kept, the wait
  /// never ends.
  ///
  /// - Throws: The error that the future fails with.
  @inlinable @inline(never) public nonisolated(nonsending) final var value: Output {
    get async throws { try await core.awaitedOutcome().get() }
  }
}
