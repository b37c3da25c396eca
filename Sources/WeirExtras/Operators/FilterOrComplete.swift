// Passes values on up to the first for which a predicate returns `false`, under a name that is in use.

public import Weir

extension Publisher {
  /// Passes values on as long as a predicate returns `true`; the first for which it does not cancels this stream and
  /// finishes.
  ///
  /// This is `prefix(while:)` with its type erased. The commonly copied version only leaves values out, as `filter`
  /// does, and never finishes early. An operator of the same name that a project declares itself takes precedence.
  ///
  /// - Parameter predicate: Returns `true` to pass a value on.
  @_disfavoredOverload
  @inlinable
  public func filterOrComplete(_ predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    prefix(while: predicate).eraseToAnyPublisher()
  }
}
