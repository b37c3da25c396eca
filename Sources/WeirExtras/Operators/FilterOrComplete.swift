// Passes values on up to the first that fails a predicate, under the name that the seed gave it.

public import Weir

extension Publisher {
  /// Passes values on as long as they satisfy a predicate; the first that doesn't cancels this stream and finishes.
  ///
  /// This is `prefix(while:)` with its type erased. The code it comes from only left values out, as `filter` does, and never
  /// finished early. An operator of this name that a project has of its own goes first.
  ///
  /// - Parameter predicate: Says whether a value is passed on.
  @_disfavoredOverload
  @inlinable
  public func filterOrComplete(_ predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    prefix(while: predicate).eraseToAnyPublisher()
  }
}
