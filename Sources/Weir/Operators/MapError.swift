// Converts the error.

extension Publisher {
  /// Converts the error that ends the stream.
  ///
  /// - Parameter transform: Makes the new error, given the old one.
  @_alwaysEmitIntoClient @inline(__always)
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Publishers.MapError<Self, NewFailure> {
    Publishers.MapError(upstream: self, transform)
  }
}

extension Publishers {
  /// Converts the error that ends another publisher's stream.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the new error, given the old one.
    public let transform: (Upstream.Failure) -> Failure

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - transform: Makes the new error, given the old one.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - map: Makes the new error, given the old one.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = MapErrorPolicy<Output, Upstream.Failure, Failure>(transform: transform)
      upstream.receive(subscriber: SignalSubscriber(policy, subscriber))
    }
  }
}

@frozen
@usableFromInline
struct MapErrorPolicy<Value, UpstreamFailure: Error, Failure: Error>: SignalPolicy {
  @usableFromInline let transform: (UpstreamFailure) -> Failure

  @inlinable @inline(__always)
  init(transform: @escaping (UpstreamFailure) -> Failure) { self.transform = transform }

  @inlinable static var name: String { "MapError" }

  @inlinable @inline(__always)
  func convert(_ failure: UpstreamFailure) -> Failure { transform(failure) }
}
