// Waiting for a future's result in asynchronous code.

import WeirQueues

extension Future where Failure == Never {
  /// The value, as soon as there is one.
  ///
  /// Cancelling the task does not end the wait. If nobody holds the promise any more and it was not kept, the wait
  /// never ends.
  public nonisolated(nonsending) final var value: Output {
    get async { await core.outcome().get() }
  }
}

extension Future {
  /// The value, as soon as there is one.
  ///
  /// Cancelling the task does not end the wait. If nobody holds the promise any more and it was not kept, the wait
  /// never ends.
  ///
  /// - Throws: The error that the future fails with.
  public nonisolated(nonsending) final var value: Output {
    get async throws { try await core.outcome().get() }
  }
}

extension PromiseCore {
  /// Waits for the result.
  nonisolated(nonsending) func outcome() async -> Outcome {
    let outcome: Unchecked<Outcome> = await withCheckedContinuation { continuation in
      subscribe(
        ErasedSubscriber(
          receiveSubscription: { $0.request(.max(1)) },
          receiveValue: { value in
            continuation.resume(returning: Unchecked(.success(value)))
            return .none
          },
          receiveCompletion: { completion in
            if case .failure(let failure) = completion { continuation.resume(returning: Unchecked(.failure(failure))) }
          },
          hidden: { "Future.value" }))
    }
    return outcome.value
  }
}
