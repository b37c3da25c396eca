// Drops a number of values.

extension Publisher {
  /// Drops a number of values and passes on all after them.
  ///
  /// - Parameter count: How many; a negative number stops the program when somebody subscribes.
  @_alwaysEmitIntoClient @inline(__always)
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// Drops a number of values of another publisher.
  ///
  /// It asks for these itself, with the first request; the subscriber gets its subscription before the upstream is subscribed
  /// to.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values are dropped.
    public let count: Int

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - count: How many values are dropped.
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
