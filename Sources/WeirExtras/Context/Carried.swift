// A value together with the context that it came in.

/// A value, and what was bound where it was sent.
///
/// `capturing(_:)` makes them, and the closure of `carrying(_:across:)` sees them.
@frozen
public struct Carried<Value, Locals: StreamContext> {
  /// The value.
  public let value: Value

  @usableFromInline let locals: Locals
  @usableFromInline let captured: Locals.Captured

  @inlinable
  init(_ value: Value, _ locals: Locals, _ captured: Locals.Captured) {
    self.value = value
    self.locals = locals
    self.captured = captured
  }

  /// Runs a closure with the value, within which is bound what was where the value was sent.
  ///
  /// - Parameter body: Gets the value.
  /// - Returns: What the closure returns.
  @inlinable @inline(__always)
  public func bind<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    try locals.bind(captured) { try body(value) }
  }

  /// Runs asynchronous code with the value, within which is bound what was where the value was sent.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor.
  ///   - body: Gets the value.
  /// - Returns: What the closure returns.
  @inlinable
  public func bind<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Value) async throws -> Result
  ) async rethrows -> Result {
    try await locals.bind(captured, isolation: isolation) { try await body(value) }
  }

  /// Another value in the same context.
  ///
  /// - Parameter transform: Makes the new value, in the context of this one.
  @inlinable
  public func map<Result>(_ transform: (Value) throws -> Result) rethrows -> Carried<Result, Locals> {
    Carried<Result, Locals>(try bind(transform), locals, captured)
  }

  /// The values of several, in the context of the last one; `nil` if there is none.
  @usableFromInline
  static func gathered(_ all: [Carried]) -> Carried<[Value], Locals>? {
    all.last.map { Carried<[Value], Locals>(all.map(\.value), $0.locals, $0.captured) }
  }
}

extension Carried: Sendable where Value: Sendable {}
