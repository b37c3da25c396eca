// How one policy serves several operators: that with a closure that throws too, and those with and without a predicate.

/// Tells an operator apart from its throwing twin.
@usableFromInline
package protocol FailurePolicy {
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
package protocol PlainFailurePolicy: FailurePolicy where Thrown == Never, Failure == UpstreamFailure {}

/// The closure may throw any error: the stream fails with that, or as the upstream does.
@usableFromInline
package protocol TryingFailurePolicy: FailurePolicy where Thrown == any Error, Failure == any Error {}

extension PlainFailurePolicy {
  @inlinable @inline(__always)
  package static func convert(_ failure: UpstreamFailure) -> UpstreamFailure { failure }

  @inlinable @inline(__always)
  package static func convert(thrown: Never) -> UpstreamFailure {}

  @inlinable @inline(__always)
  package static func pick<Choice>(_ plain: Choice, trying: Choice) -> Choice { plain }
}

extension TryingFailurePolicy {
  @inlinable @inline(__always)
  package static func convert(_ failure: UpstreamFailure) -> any Error { failure }

  @inlinable @inline(__always)
  package static func convert(thrown: any Error) -> any Error { thrown }

  @inlinable @inline(__always)
  package static func pick<Choice>(_ plain: Choice, trying: Choice) -> Choice { trying }
}

/// How an operator without a closure fails: as its upstream does.
@frozen
@usableFromInline
package enum WithoutClosure<UpstreamFailure: Error>: PlainFailurePolicy {}

/// A closure that judges a value, and how it fails.
///
/// A policy calls its closure through such a type, as one of the form `throws(Closure.Thrown)`, or with a generic
/// result, would be called through a thunk that returns in memory: some 20 instructions more for each value.
@usableFromInline
package protocol Predicate<Value>: FailurePolicy {
  /// The kind of values.
  associatedtype Value

  /// Calls the closure.
  func callAsFunction(_ value: Value) throws(Thrown) -> Bool
}

/// A closure that judges a value that doesn't throw.
@frozen
@usableFromInline
package struct PlainPredicate<Value, UpstreamFailure: Error>: Predicate, PlainFailurePolicy {
  @usableFromInline let body: (Value) -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value) -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ value: Value) -> Bool { body(value) }
}

/// A closure that judges a value that may throw.
@frozen
@usableFromInline
package struct TryingPredicate<Value, UpstreamFailure: Error>: Predicate, TryingFailurePolicy {
  @usableFromInline let body: (Value) throws -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value) throws -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ value: Value) throws -> Bool { try body(value) }
}

/// A closure that judges two values, and how it fails.
@usableFromInline
package protocol Relation<Value>: FailurePolicy {
  /// The kind of values.
  associatedtype Value

  /// Calls the closure.
  func callAsFunction(_ first: Value, _ second: Value) throws(Thrown) -> Bool
}

/// A closure that judges two values that doesn't throw.
@frozen
@usableFromInline
package struct PlainRelation<Value, UpstreamFailure: Error>: Relation, PlainFailurePolicy {
  @usableFromInline let body: (Value, Value) -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value, Value) -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ first: Value, _ second: Value) -> Bool { body(first, second) }
}

/// A closure that judges two values that may throw.
@frozen
@usableFromInline
package struct TryingRelation<Value, UpstreamFailure: Error>: Relation, TryingFailurePolicy {
  @usableFromInline let body: (Value, Value) throws -> Bool

  @inlinable @inline(__always)
  package init(_ body: @escaping (Value, Value) throws -> Bool) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ first: Value, _ second: Value) throws -> Bool { try body(first, second) }
}

/// A closure that combines a result with a value, and how it fails.
@usableFromInline
package protocol Combiner<Result, Value>: FailurePolicy {
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
package struct PlainCombiner<Result, Value, UpstreamFailure: Error>: Combiner, PlainFailurePolicy {
  @usableFromInline let body: (Result, Value) -> Result

  @inlinable @inline(__always)
  package init(_ body: @escaping (Result, Value) -> Result) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ result: Result, _ value: Value) -> Result { body(result, value) }
}

/// A closure that combines a result with a value that may throw.
@frozen
@usableFromInline
package struct TryingCombiner<Result, Value, UpstreamFailure: Error>: Combiner, TryingFailurePolicy {
  @usableFromInline let body: (Result, Value) throws -> Result

  @inlinable @inline(__always)
  package init(_ body: @escaping (Result, Value) throws -> Result) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(_ result: Result, _ value: Value) throws -> Result { try body(result, value) }
}

/// A policy whose closure throws, or not, as the closure's own policy says.
@usableFromInline
package protocol ThrowingPolicy<Input, Output>: StepPolicy, FailureConverter
where UpstreamFailure == Closure.UpstreamFailure, Failure == Closure.Failure {
  /// How it fails.
  associatedtype Closure: FailurePolicy
}

extension ThrowingPolicy {
  @inlinable @inline(__always)
  package func convert(_ failure: Closure.UpstreamFailure) -> Closure.Failure { Closure.convert(failure) }
}

/// Tells an operator that takes any value apart from the one that takes a value that satisfies a predicate.
@usableFromInline
package protocol SelectionPolicy {
  /// Picks the operator's name.
  static func name(any: StaticString, matching: StaticString) -> StaticString
}

/// The operator takes any value.
@frozen
@usableFromInline
package enum AnyValue: SelectionPolicy {
  @inlinable @inline(__always)
  package static func name(any: StaticString, matching: StaticString) -> StaticString { any }
}

/// The operator takes a value that satisfies a predicate.
@frozen
@usableFromInline
package enum MatchingValue: SelectionPolicy {
  @inlinable @inline(__always)
  package static func name(any: StaticString, matching: StaticString) -> StaticString { matching }
}
