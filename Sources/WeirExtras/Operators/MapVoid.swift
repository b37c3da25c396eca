// Turns values into signals without a value.

public import Weir

extension Publisher {
  /// Publishes `()` for each value of this stream.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func mapVoid() -> Publishers.Map<Self, Void> { map { _ in } }
}
