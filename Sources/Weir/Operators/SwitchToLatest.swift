// Follows the newest of a stream of streams.

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Publishes the values of the newest publisher that this stream has published; a new one cancels the one before.
  @_alwaysEmitIntoClient
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { Publishers.SwitchToLatest(upstream: self) }
}

extension Publisher where Output: Publisher, Failure == Never {
  /// Publishes the values of the newest publisher that this stream has published; a new one cancels the one before.
  @_alwaysEmitIntoClient
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>> {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Output: Publisher, Failure == Never, Output.Failure == Never {
  /// Publishes the values of the newest publisher that this stream has published; a new one cancels the one before.
  @_alwaysEmitIntoClient
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { Publishers.SwitchToLatest(upstream: self) }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Publishes the values of the newest publisher that this stream has published; a new one cancels the one before.
  @_alwaysEmitIntoClient
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}

extension Publishers {
  /// Publishes the values of the newest publisher that another publisher has published.
  ///
  /// The stream finishes when the upstream and the newest publisher have finished, and fails as soon as one of the two
  /// fails. A value that the newest publisher sends without demand traps.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where Upstream.Output == P, Upstream.Failure == P.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The nested publishers' kind of values.
    public typealias Output = P.Output
    /// The nested publishers' kind of error.
    public typealias Failure = P.Failure

    /// Where the publishers come from.
    public let upstream: Upstream

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the publishers come from.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let link = FlattenLink(
        downstream: HeldSubscriber(subscriber), policy: .latest, name: "SwitchToLatest",
        isKnown: P.self is any KnownStream.Type)
      subscriber.receive(subscription: link)
      upstream.receive(subscriber: OuterSubscriber(link) { $0 })
    }
  }
}
