// What can follow the values of a stream: task-local values, one or several.

/// What follows the values of a stream: it is read where a value passes, and bound where the value is delivered.
///
/// A task-local value is one (`$requestID` of `@TaskLocal static var requestID`), and so are several together
/// (``JoinedContext``). A type of yours may bring what isn't kept in task-local values.
public protocol StreamContext: Sendable {
  /// What is read in one place and bound in another.
  associatedtype Captured: Sendable

  /// Reads what is bound here.
  func capture() -> Captured

  /// Runs a body within which something is bound that was captured elsewhere.
  ///
  /// - Parameters:
  ///   - captured: What was captured.
  ///   - body: What to run, once.
  func bind<Result>(_ captured: Captured, _ body: () throws -> Result) rethrows -> Result

  /// Runs an asynchronous body within which something is bound that was captured elsewhere.
  ///
  /// - Parameters:
  ///   - captured: What was captured.
  ///   - isolation: The caller's actor.
  ///   - body: What to run, once.
  func bind<Result>(
    _ captured: Captured, isolation: isolated (any Actor)?, _ body: () async throws -> Result
  ) async rethrows -> Result
}

extension TaskLocal: StreamContext {
  /// The value that is bound here.
  @inlinable
  public func capture() -> Value { get() }

  /// Runs a body within which a value is bound.
  ///
  /// - Parameters:
  ///   - captured: The value.
  ///   - body: What to run.
  @inlinable
  public func bind<Result>(_ captured: Value, _ body: () throws -> Result) rethrows -> Result {
    try withValue(captured, operation: body)
  }

  /// Runs an asynchronous body within which a value is bound.
  ///
  /// - Parameters:
  ///   - captured: The value.
  ///   - isolation: The caller's actor.
  ///   - body: What to run.
  @inlinable
  public func bind<Result>(
    _ captured: Value, isolation: isolated (any Actor)?, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await withValue(captured, operation: body, isolation: isolation)
  }
}

/// Two contexts as one.
@frozen
public struct JoinedContext<First: StreamContext, Second: StreamContext>: StreamContext {
  /// What is read of both.
  @frozen
  public struct Captured: Sendable {
    @usableFromInline let first: First.Captured
    @usableFromInline let second: Second.Captured

    @inlinable
    init(_ first: First.Captured, _ second: Second.Captured) {
      self.first = first
      self.second = second
    }
  }

  @usableFromInline let first: First
  @usableFromInline let second: Second

  /// Joins two contexts.
  ///
  /// - Parameters:
  ///   - first: One of them.
  ///   - second: The other, which is bound within the first.
  @inlinable
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Reads what is bound here of both.
  @inlinable
  public func capture() -> Captured { Captured(first.capture(), second.capture()) }

  /// Runs a body within which both are bound.
  ///
  /// - Parameters:
  ///   - captured: What was captured.
  ///   - body: What to run.
  @inlinable
  public func bind<Result>(_ captured: Captured, _ body: () throws -> Result) rethrows -> Result {
    try first.bind(captured.first) { try second.bind(captured.second, body) }
  }

  /// Runs an asynchronous body within which both are bound.
  ///
  /// - Parameters:
  ///   - captured: What was captured.
  ///   - isolation: The caller's actor.
  ///   - body: What to run.
  @inlinable
  public func bind<Result>(
    _ captured: Captured, isolation: isolated (any Actor)?, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await first.bind(captured.first, isolation: isolation) {
      try await second.bind(captured.second, isolation: isolation, body)
    }
  }
}
