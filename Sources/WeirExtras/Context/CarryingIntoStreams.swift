// The operators that make streams of values, for streams that carry a context: what the stream of a value publishes
// comes in the context of that value.

public import Weir

extension ContextCarrying {
  /// Turns every value into a publisher and publishes what all of them publish, in the context of the value's sender.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once.
  ///   - transform: Makes a publisher, given a value, in the context of the value's sender; the publisher is subscribed
  ///     to there, too.
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> some ContextCarrying<Child.Output, Failure> where Failure == Child.Failure {
    // Not generic over the result, as the form for all streams is: of a closure of several statements, the compiler
    // would take that one where what follows takes values of any type.
    across { pairs in
      pairs.carryingFailure().flatMap(maxPublishers: maxPublishers) { pairs.child(of: $0, transform).carryingFailure() }
        .mapError { [end = pairs.end] in $0.settled(in: end) }
    }
  }

  /// Turns every value into a publisher that can't fail and publishes what all of them publish, in the context of the
  /// value's sender.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once.
  ///   - transform: Makes a publisher, given a value.
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> some ContextCarrying<Child.Output, Failure> where Child.Failure == Never {
    let failure = Failure.self
    return across { pairs in
      pairs.flatMap(maxPublishers: maxPublishers) {
        pairs.child(of: $0) { transform($0).setFailureType(to: failure) }
      }
    }
  }

  /// Publishes the values of the stream that a closure makes of a value, in the context of that value's sender; values
  /// that come before that stream has finished, and all of its values were taken, are dropped.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapFirst<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> some ContextCarrying<Inner.Output, Failure> where Inner.Failure == Failure {
    across { pairs in
      pairs.carryingFailure().flatMapFirst { pairs.child(of: $0, transform).carryingFailure() }
        .mapError { [end = pairs.end] in $0.settled(in: end) }
    }
  }

  /// Publishes the values of the stream that a closure makes of the newest value, in the context of that value's
  /// sender.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> some ContextCarrying<Inner.Output, Failure> where Inner.Failure == Failure {
    across { pairs in
      pairs.carryingFailure().map { pairs.child(of: $0, transform).carryingFailure() }.switchToLatest()
        .mapError { [end = pairs.end] in $0.settled(in: end) }
    }
  }

  /// Publishes the values of the stream, which can't fail, that a closure makes of the newest value, in the context of
  /// that value's sender.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> some ContextCarrying<Inner.Output, Failure> where Inner.Failure == Never {
    let failure = Failure.self
    return across { pairs in
      pairs.map { pairs.child(of: $0) { transform($0).setFailureType(to: failure) } }.switchToLatest()
    }
  }
}

extension ContextCarrying where Failure == Never {
  /// Turns every value into a publisher and publishes what all of them publish, in the context of the value's sender.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once.
  ///   - transform: Makes a publisher, given a value.
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> some ContextCarrying<Child.Output, Child.Failure> {
    across { pairs in
      pairs.flatMap(maxPublishers: maxPublishers) { pairs.child(of: $0, transform).carryingFailure() }
        .mapError { [end = pairs.end] in $0.settled(in: end) }
    }
  }

  /// Turns every value into a publisher that can't fail and publishes what all of them publish, in the context of the
  /// value's sender.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once.
  ///   - transform: Makes a publisher, given a value.
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> some ContextCarrying<Child.Output, Never> where Child.Failure == Never {
    across { pairs in pairs.flatMap(maxPublishers: maxPublishers) { pairs.child(of: $0, transform) } }
  }

  /// Publishes the values of the stream that a closure makes of the newest value, in the context of that value's
  /// sender. Where neither can fail, both forms above would do.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapLatest<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> some ContextCarrying<Inner.Output, Never> where Inner.Failure == Never {
    across { pairs in pairs.map { pairs.child(of: $0, transform) }.switchToLatest() }
  }
}

extension ContextCarrying where Output: Publisher, Output.Failure == Failure {
  /// Publishes the values of the newest publisher that this stream has published, in the context of who has sent that
  /// publisher.
  @inlinable
  public func switchToLatest() -> some ContextCarrying<Output.Output, Failure> { flatMapLatest { $0 } }
}

extension ContextCarrying where Output: Publisher, Failure == Never {
  /// Publishes the values of the newest publisher that this stream has published, in the context of who has sent that
  /// publisher.
  @inlinable
  public func switchToLatest() -> some ContextCarrying<Output.Output, Output.Failure> {
    setFailureType(to: Output.Failure.self).flatMapLatest { $0 }
  }
}

extension ContextCarrying where Output: Publisher, Failure == Never, Output.Failure == Never {
  /// Publishes the values of the newest publisher that this stream has published, in the context of who has sent that
  /// publisher.
  @inlinable
  public func switchToLatest() -> some ContextCarrying<Output.Output, Never> { flatMapLatest { $0 } }
}

extension ContextCarrying where Output: Publisher, Output.Failure == Never {
  /// Publishes the values of the newest publisher that this stream has published, in the context of who has sent that
  /// publisher.
  @inlinable
  public func switchToLatest() -> some ContextCarrying<Output.Output, Failure> { flatMapLatest { $0 } }
}

extension Publishers.Capturing {
  /// The stream that a closure makes of a value, all of it in the context of the value.
  @inlinable
  func child<Child: Publisher>(
    of pair: Output, _ transform: (Upstream.Output) -> Child
  ) -> Publishers.Capturing<Child, Locals> {
    Publishers.Capturing<Child, Locals>(pair.bind(transform), locals, fixed: pair.captured, end: nil)
  }
}
