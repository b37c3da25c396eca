// Gives a stream that can't fail a kind of error.

extension Publisher where Failure == Never {
  /// Gives this stream, which can't fail, a kind of error, so that it can be combined with others.
  ///
  /// - Parameter failureType: The type of the error.
  @_alwaysEmitIntoClient
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Publishers.SetFailureType<Self, NewFailure> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// Gives another publisher, which can't fail, a kind of error.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the values come from.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Output == Downstream.Input {
      upstream.receive(subscriber: SignalSubscriber(SetFailureTypePolicy<Output, Failure>(), subscriber))
    }

    /// Gives the stream another kind of error.
    ///
    /// - Parameter failure: The type of the error.
    @_alwaysEmitIntoClient
    public func setFailureType<NewFailure: Error>(
      to failure: NewFailure.Type
    ) -> Publishers.SetFailureType<Upstream, NewFailure> {
      Publishers.SetFailureType<Upstream, NewFailure>(upstream: upstream)
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct SetFailureTypePolicy<Value, Failure: Error>: SignalPolicy {
  @inlinable @inline(__always)
  init() {}

  @inlinable static var name: String { "SetFailureType" }

  @inlinable @inline(__always)
  func convert(_ failure: Never) -> Failure {}
}

extension Publishers.SetFailureType: KnownStream where Upstream: KnownStream {
  @inlinable @inline(__always)
  package var isKnown: Bool { upstream.isKnown }

  @inlinable @inline(__always)
  package static var isSilentAfterItsEnd: Bool { false }

  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>? {
    upstream.publish(receive, while: isWelcome) == nil ? nil : .finished
  }
}
