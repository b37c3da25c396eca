// Holds a stream back until it is connected.

extension Publisher where Failure == Never {
  /// Publishes this stream, which can't fail, once it is connected.
  @_alwaysEmitIntoClient
  public func makeConnectable() -> Publishers.MakeConnectable<Self> { Publishers.MakeConnectable(upstream: self) }
}

extension Publishers {
  /// Publishes another publisher's stream once it is connected, to all that have subscribed by then or do so later.
  ///
  /// Copies share their subscribers and connections. Each `connect()` makes a connection of its own: after two, each
  /// value arrives twice.
  ///
  /// - Complexity: A value is O(*n*) in the number of subscribers.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    @usableFromInline let shared: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    /// Where the values come from.
    package var upstream: Upstream { shared.upstream }

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the values come from.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) { shared = upstream.multicast(subject: PassthroughSubject()) }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
      shared.receive(subscriber: subscriber)
    }

    /// Starts publishing. Any thread may call this.
    ///
    /// - Returns: An object that ends this connection when it is cancelled.
    @_alwaysEmitIntoClient
    public func connect() -> any Cancellable { shared.connect() }
  }
}
