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

  /// Picks the operator's name.
  static func name(_ plain: StaticString, trying: StaticString) -> StaticString
}

/// The closure doesn't throw: the stream fails as the upstream does.
@frozen
@usableFromInline
package enum Plain<UpstreamFailure: Error>: FailureMode {
  @inlinable @inline(__always)
  package static func convert(_ failure: UpstreamFailure) -> UpstreamFailure { failure }

  @inlinable @inline(__always)
  package static func convert(thrown: Never) -> UpstreamFailure {}

  @inlinable @inline(__always)
  package static func name(_ plain: StaticString, trying: StaticString) -> StaticString { plain }
}

/// The closure may throw any error: the stream fails with that, or as the upstream does.
@frozen
@usableFromInline
package enum Trying<UpstreamFailure: Error>: FailureMode {
  @inlinable @inline(__always)
  package static func convert(_ failure: UpstreamFailure) -> any Error { failure }

  @inlinable @inline(__always)
  package static func convert(thrown: any Error) -> any Error { thrown }

  @inlinable @inline(__always)
  package static func name(_ plain: StaticString, trying: StaticString) -> StaticString { trying }
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
