// Ends a stream when another one publishes a value.

extension Publisher {
  /// Publishes the values of this stream until another stream publishes a value, and then finishes.
  ///
  /// If the other stream ends without a value, that makes no difference. When it has published it is not cancelled: it
  /// keeps a subscriber that asks for nothing, until it ends itself. If it publishes at once, while it is being
  /// subscribed to, this one ends before there is a subscription, as in Combine; `append`, `collect`, `replaceEmpty`
  /// and others behind it don't accept such an end and stay open. There, use `merge` with the other stream, and
  /// `first()`.
  ///
  /// - Parameter publisher: The other stream.
  @_alwaysEmitIntoClient
  public func prefix<Other: Publisher>(
    untilOutputFrom publisher: Other
  ) -> Publishers.PrefixUntilOutput<Self, Other> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// Publishes the values of a publisher until another one publishes a value.
  ///
  /// As in Combine, the subscriber is told the end without a subscription if the other publisher publishes a value at
  /// once.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
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

    /// The publisher whose first value ends the stream.
    public let other: Other

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - other: The publisher whose first value ends the stream.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      SideStreamLink(downstream: HeldSubscriber(subscriber), policy: .closes, name: "PrefixUntilOutput")
        .attach(upstream, other) { _ in .finished }
    }
  }
}
