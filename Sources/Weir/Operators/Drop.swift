// Drops a number of values.

extension Publisher {
  /// Drops a number of values and passes on all that come after them.
  ///
  /// - Parameter count: How many values to drop; a negative number traps when the upstream's subscription arrives.
  @_alwaysEmitIntoClient @inline(__always)
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// Drops a number of values of another publisher.
  ///
  /// The subscriber gets its subscription before the upstream is subscribed to. When the upstream's subscription
  /// arrives, it is asked for the values to drop, and for what the subscriber has asked for by then.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values are dropped; not negative.
    public let count: Int

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - count: How many values are dropped; not negative.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let inner = DropSubscriber(count, to: subscriber)
      subscriber.receive(subscription: inner.link)
      upstream.receive(subscriber: inner)
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}
