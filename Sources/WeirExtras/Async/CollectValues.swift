// Waiting for all values of a stream in asynchronous code.

public import Weir

extension Publisher {
  /// Waits for the end of the stream.
  ///
  /// It asks for everything, within the call, and keeps all of it until the end. It cancels the stream when the task is
  /// cancelled; then, and where the stream fails, what it has kept is dropped.
  ///
  /// - Returns: All values.
  /// - Throws: The stream's error; `CancellationError` if the task is cancelled.
  @_disfavoredOverload
  public nonisolated(nonsending) func collectValues() async throws -> [Output] { try await collect().firstValue() }

  /// Waits for the end of the stream, or for a number of values, whichever comes first.
  ///
  /// It asks for everything, within the call, keeps the first values up to that number, and drops what comes behind
  /// them. It cancels the stream once there are enough, or when the task is cancelled; then, and where the stream fails
  /// before, what it has kept is dropped.
  ///
  /// - Parameter limit: How many values are enough; if less than one is, it does not subscribe.
  /// - Returns: The values.
  /// - Throws: The stream's error; `CancellationError` if the task is cancelled.
  @_disfavoredOverload
  public nonisolated(nonsending) func collectValues(limit: Int) async throws -> [Output] {
    if limit < 1 {
      try Task.checkCancellation()
      return []
    }
    return try await prefix(limit).collect().firstValue()
  }
}
