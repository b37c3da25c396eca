// Waiting for the first value of a stream in asynchronous code.

public import Weir

/// A stream has ended without the value that somebody waited for.
public struct NoValueError: Error, Equatable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// What happened, in words.
  public var description: String { "the stream finished without a value" }
}

extension Publisher {
  /// Waits for the first value.
  ///
  /// It asks for one value, and cancels the stream once it has it, or when the task is cancelled. It keeps that value
  /// alone, and nothing that a subject sends after it or, unless it is a subject that keeps values, has sent before.
  /// Where the stream can't fail, the form that returns an optional is taken, unless the context asks for an `Output`.
  ///
  /// - Returns: The first value.
  /// - Throws: The stream's error; `NoValueError` if it finishes without a value; `CancellationError` if the task is
  ///   cancelled.
  @_disfavoredOverload
  @inlinable
  public nonisolated(nonsending) func firstValue() async throws -> Output {
    if let value = try await nextValue(of: self) { return value }
    if Task.isCancelled { throw CancellationError() }
    throw NoValueError()
  }
}

extension Publisher where Failure == Never {
  /// Waits for the first value.
  ///
  /// It asks for one value, and cancels the stream once it has it, or when the task is cancelled. It keeps that value
  /// alone, and nothing that a subject sends after it or, unless it is a subject that keeps values, has sent before.
  ///
  /// - Returns: The first value; `nil` if the stream finishes without one, or the task is cancelled.
  @_disfavoredOverload
  @inlinable
  public nonisolated(nonsending) func firstValue() async -> Output? { await nextValue(of: self) }
}

extension Publisher where Failure == any Error {
  /// Waits for the first value: `firstValue()` under another name.
  ///
  /// It keeps that value alone, and nothing that a subject sends after it or, unless it is a subject that keeps values,
  /// has sent before.
  ///
  /// - Returns: The first value.
  /// - Throws: The stream's error; `NoValueError` if it finishes without a value; `CancellationError` if the task is
  ///   cancelled.
  @_disfavoredOverload
  @inlinable
  public nonisolated(nonsending) func async() async throws -> Output { try await firstValue() }
}

/// Subscribes, asks for one value and waits for it; then the stream is cancelled.
@inlinable
nonisolated(nonsending) func nextValue<Source: Publisher>(
  of publisher: Source
) async throws(Source.Failure) -> Source.Output? {
  let subscriber = PullSubscriber<Source.Output, Source.Failure>()
  publisher.subscribe(subscriber)
  defer { subscriber.cancel() }
  return try await subscriber.next()
}
