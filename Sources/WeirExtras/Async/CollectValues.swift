// Waiting for all values of a stream in asynchronous code.

public import Weir

extension Publisher {
  /// Waits for the end of the stream.
  ///
  /// It asks for everything, and cancels the stream when the task is cancelled.
  ///
  /// - Returns: All values.
  /// - Throws: The stream's error; `CancellationError` if the task is cancelled.
  @_disfavoredOverload
  public nonisolated(nonsending) func collectValues() async throws -> [Output] { try await collect().firstValue() }

  /// Waits for the end of the stream, or for a number of values, whichever comes first.
  ///
  /// It asks for everything, and cancels the stream once there are enough, or when the task is cancelled.
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
