// Policies by which one stage serves several operators: its throwing twin, and the same with and without a predicate.

/// Tells an operator apart from its throwing twin.
@usableFromInline
package protocol FailureMode {
  /// The kind of error that comes in.
  associatedtype UpstreamFailure: Error
  /// The kind of error that the operator's closure throws.
  associatedtype Thrown: Error
  /// The kind of error that goes out.
  associatedtype Failure: Error

  /// Converts the upstream's error.
  static func convert(_ failure: UpstreamFailure) -> Failure

  /// Converts the closure's error.
  static func convert(thrown: Thrown) -> Failure

  /// Picks what tells the two operators apart.
  static func pick<Choice>(_ plain: Choice, trying: Choice) -> Choice
}

/// The closure doesn't throw: the stream fails as the upstream does.
@usableFromInline
package protocol PlainMode: FailureMode where Thrown == Never, Failure == UpstreamFailure {}

/// The closure may throw any error: the stream fails with that, or as the upstream does.
@usableFromInline
package protocol TryingMode: FailureMode where Thrown == any Error, Failure == any Error {}

extension PlainMode {
  @inlinable @inline(__always)
  package static func convert(_ failure: UpstreamFailure) -> UpstreamFailure { failure }

  @inlinable @inline(__always)
  package static func convert(thrown: Never) -> UpstreamFailure {}

  @inlinable @inline(__always)
  package static func pick<Choice>(_ plain: Choice, trying: Choice) -> Choice { plain }
}

extension TryingMode {
  @inlinable @inline(__always)
  package static func convert(_ failure: UpstreamFailure) -> any Error { failure }

  @inlinable @inline(__always)
  package static func convert(thrown: any Error) -> any Error { thrown }

  @inlinable @inline(__always)
  package static func pick<Choice>(_ plain: Choice, trying: Choice) -> Choice { trying }
}

/// The mode of an operator without a closure.
@frozen
@usableFromInline
package enum Plain<UpstreamFailure: Error>: PlainMode {}

/// A closure that judges a value, and its mode.
///
/// A stage calls its closure through such a type, as one of the form `throws(Mode.Thrown)`, or with a generic result, would
/// be called through a thunk that returns in memory: some 20 instructions more for each value.
@usableFromInline
package protocol Predicate<Value>: FailureMode {
  /// The kind of values.
  associatedtype Value

  /// Calls the closure.
  func callAsFunction(_ value: Value) throws(Thrown) -> Bool
}

/// A closure that judges a value that doesn't throw.
@frozen
@usableFromInline
package struct PlainPredicate<Value, UpstreamFailure: Error>: Predicate, PlainMode {
  @usableFromInline let body: (Value) -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value) -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ value: Value) -> Bool { body(value) }
}

/// A closure that judges a value that may throw.
@frozen
@usableFromInline
package struct TryingPredicate<Value, UpstreamFailure: Error>: Predicate, TryingMode {
  @usableFromInline let body: (Value) throws -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value) throws -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ value: Value) throws -> Bool { try body(value) }
}

/// A closure that judges two values, and its mode.
@usableFromInline
package protocol Relation<Value>: FailureMode {
  /// The kind of values.
  associatedtype Value

  /// Calls the closure.
  func callAsFunction(_ first: Value, _ second: Value) throws(Thrown) -> Bool
}

/// A closure that judges two values that doesn't throw.
@frozen
@usableFromInline
package struct PlainRelation<Value, UpstreamFailure: Error>: Relation, PlainMode {
  @usableFromInline let body: (Value, Value) -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value, Value) -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ first: Value, _ second: Value) -> Bool { body(first, second) }
}

/// A closure that judges two values that may throw.
@frozen
@usableFromInline
package struct TryingRelation<Value, UpstreamFailure: Error>: Relation, TryingMode {
  @usableFromInline let body: (Value, Value) throws -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value, Value) throws -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ first: Value, _ second: Value) throws -> Bool { try body(first, second) }
}

/// A closure that combines a result with a value, and its mode.
@usableFromInline
package protocol Combiner<Result, Value>: FailureMode {
  /// The kind of results.
  associatedtype Result
  /// The kind of values.
  associatedtype Value

  /// Calls the closure.
  func callAsFunction(_ result: Result, _ value: Value) throws(Thrown) -> Result
}

/// A closure that combines a result with a value that doesn't throw.
@frozen
@usableFromInline
package struct PlainCombiner<Result, Value, UpstreamFailure: Error>: Combiner, PlainMode {
  @usableFromInline let body: (Result, Value) -> Result

  @inlinable @inline(__always)
  package init(_ body: @escaping (Result, Value) -> Result) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ result: Result, _ value: Value) -> Result { body(result, value) }
}

/// A closure that combines a result with a value that may throw.
@frozen
@usableFromInline
package struct TryingCombiner<Result, Value, UpstreamFailure: Error>: Combiner, TryingMode {
  @usableFromInline let body: (Result, Value) throws -> Result

  @inlinable @inline(__always)
  package init(_ body: @escaping (Result, Value) throws -> Result) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ result: Result, _ value: Value) throws -> Result { try body(result, value) }
}

/// A stage whose closure throws, or not, as its mode says.
@usableFromInline
package protocol ModalStage<Input, Output>: StageRule, FailureConverter
where UpstreamFailure == Mode.UpstreamFailure, Failure == Mode.Failure {
  /// How it fails.
  associatedtype Mode: FailureMode
}

extension ModalStage {
  @inlinable @inline(__always)
  package func convert(_ failure: Mode.UpstreamFailure) -> Mode.Failure { Mode.convert(failure) }
}

/// Tells an operator that takes any value apart from the one that takes a value that satisfies a predicate.
@usableFromInline
package protocol Selection {
  /// Picks the operator's name.
  static func name(any: StaticString, matching: StaticString) -> StaticString
}

/// The operator takes any value.
@frozen
@usableFromInline
package enum AnyValue: Selection {
  @inlinable @inline(__always)
  package static func name(any: StaticString, matching: StaticString) -> StaticString { any }
}

/// The operator takes a value that satisfies a predicate.
@frozen
@usableFromInline
package enum MatchingValue: Selection {
  @inlinable @inline(__always)
  package static func name(any: StaticString, matching: StaticString) -> StaticString { matching }
}
