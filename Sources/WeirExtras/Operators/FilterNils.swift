// Drops nils, and unwraps the other values.

public import Weir

extension Publisher {
  /// Passes on the values in this stream's optionals, and drops those that are `nil`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func filterNils<Wrapped>() -> Publishers.CompactMap<Self, Wrapped> where Output == Wrapped? {
    compactMap { $0 }
  }
}
