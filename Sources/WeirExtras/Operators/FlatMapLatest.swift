// Follows the stream made of the newest value.

public import Weir

extension Publisher {
  /// Publishes the values of the stream that a closure makes of the newest value; a new value cancels the stream of the
  /// former one.
  ///
  /// A search field needs this, so that a slow answer to an old question can't win. It is `map(_:)` and then
  /// `switchToLatest()`.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> Publishers.SwitchToLatest<Inner, Publishers.Map<Self, Inner>> where Inner.Failure == Failure {
    map(transform).switchToLatest()
  }

  /// Publishes the values of the stream, which can't fail, that a closure makes of the newest value; a new value
  /// cancels the stream of the former one.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  )
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Inner, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Inner, Failure>>
    > where Inner.Failure == Never
  {
    let failure = Failure.self
    return map { transform($0).setFailureType(to: failure) }.switchToLatest()
  }
}

extension Publisher where Failure == Never {
  /// Publishes the values of the stream that a closure makes of the newest value; a new value cancels the stream of the
  /// former one. Where neither can fail, both forms above would do.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> Publishers.SwitchToLatest<Inner, Publishers.Map<Self, Inner>> where Inner.Failure == Never {
    map(transform).switchToLatest()
  }
}
