// Puts a value in the place of `nil`.

extension Publisher {
  /// Replaces every `nil` with a value.
  ///
  /// - Parameter output: The value to publish instead of `nil`.
  @_alwaysEmitIntoClient @inline(__always)
  public func replaceNil<ElementOfResult>(
    with output: ElementOfResult
  ) -> Publishers.Map<Self, ElementOfResult> where Output == ElementOfResult? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
