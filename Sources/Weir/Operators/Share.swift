// One subscription to a stream, for all its subscribers.

extension Publisher {
  /// Shares one subscription to this stream among all subscribers; a subscriber that is attached later gets only what
  /// comes after that.
  @_alwaysEmitIntoClient
  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

extension Publishers {
  /// Shares one subscription to another publisher among all subscribers.
  ///
  /// It subscribes when the first subscriber is attached, asks for everything once any of them has asked for a value,
  /// and cancels when the last one has cancelled. A subscriber that has no demand misses values.
  ///
  /// - Complexity: A value is O(*n*) in the number of subscribers.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    @usableFromInline let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the values come from.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = upstream.multicast { PassthroughSubject() }.autoconnect()
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      shared.receive(subscriber: subscriber)
    }

    /// Returns `true` if both are the same object.
    public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
  }
}
