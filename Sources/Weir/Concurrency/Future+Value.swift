// Waiting for a future's result in asynchronous code.

extension Future where Failure == Never {
  /// The value, as soon as there is one.
  ///
  /// Cancelling the task does not end the wait. If nobody holds the promise any more and it was not kept, the wait
  /// never ends.
  @_alwaysEmitIntoClient public nonisolated(nonsending) final var value: Output {
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
  @_alwaysEmitIntoClient public nonisolated(nonsending) final var value: Output {
    get async throws { try await core.awaitedOutcome().get() }
  }
}
