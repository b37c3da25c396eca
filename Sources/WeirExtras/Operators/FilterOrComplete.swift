// Passes values on up to the first that fails a predicate, under the name that the seed gave it.

public import Weir

extension Publisher {
  /// Passes values on as long as they satisfy a predicate; the first that doesn't cancels this stream and finishes.
  ///
  /// This is `prefix(while:)`. The code it comes from only left values out, as `filter` does, and never finished early.
  ///
  /// - Parameter predicate: Decides about a value.
  @inlinable @inline(__always)
  public func filterOrComplete(_ predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    prefix(while: predicate)
  }

  /// The same with its type erased, for code that names `AnyPublisher`.
  ///
  /// - Parameter predicate: Decides about a value.
  @_disfavoredOverload
  @inlinable
  public func filterOrComplete(_ predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    prefix(while: predicate).eraseToAnyPublisher()
  }
}
