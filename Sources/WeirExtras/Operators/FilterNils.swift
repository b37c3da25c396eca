// Takes optionals apart.

public import Weir

extension Publisher {
  /// Passes on what is inside this stream's optionals, and drops those that are `nil`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func filterNils<Wrapped>() -> Publishers.CompactMap<Self, Wrapped> where Output == Wrapped? {
    compactMap { $0 }
  }
}
