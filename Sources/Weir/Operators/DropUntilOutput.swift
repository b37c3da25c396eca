// Drops values until another stream publishes one.

extension Publisher {
  /// Drops the values of this stream until another stream publishes one.
  ///
  /// If the other stream ends before that, so does this one, in the same way. As in Combine, a dropped value uses up
  /// demand, and the other stream is not cancelled when it has published.
  ///
  /// - Parameter publisher: The other stream.
  @_alwaysEmitIntoClient
  public func drop<Other: Publisher>(
    untilOutputFrom publisher: Other
  ) -> Publishers.DropUntilOutput<Self, Other> where Failure == Other.Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// Drops the values of a publisher until another one publishes a value.
  ///
  /// While values are dropped, a value that the upstream sends without demand traps.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
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

    /// The publisher whose first value ends the dropping.
    public let other: Other

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - other: The publisher whose first value ends the dropping.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Other.Failure == Downstream.Failure {
      let link = SideStreamLink(downstream: HeldSubscriber(subscriber), policy: .opens, name: "DropUntilOutput")
      subscriber.receive(subscription: link)
      link.attach(upstream, other) { $0 }
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
