// Follows one inner stream to its end before it takes another.

public import Weir

extension Publisher {
  /// Publishes the values of the stream that a closure makes of a value; values that come before that stream has
  /// finished, and all of its values were taken, are dropped.
  ///
  /// A "send" button needs this: further taps do nothing while the work of the first one goes on.
  ///
  /// - Parameter transform: Makes a stream of a value.
  @_disfavoredOverload
  @inlinable
  public func flatMapFirst<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> Publishers.FlatMapFirst<Inner, Self> where Inner.Failure == Failure {
    Publishers.FlatMapFirst(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Publishes the values of a stream made of a value of another publisher, and drops values that come before that has
  /// finished and all of its values were taken.
  ///
  /// The upstream is asked for everything. The inner stream is asked for everything once the subscriber has asked for
  /// everything, and for one value at a time otherwise. The stream finishes when the upstream and the last inner stream
  /// have, and fails as soon as one of them fails.
  public struct FlatMapFirst<Inner: Publisher, Upstream: Publisher>: Publisher
  where Inner.Failure == Upstream.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The inner streams' kind of values.
    public typealias Output = Inner.Output
    /// The kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes a stream of a value.
    public let transform: (Upstream.Output) -> Inner

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - transform: Makes a stream of a value.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Inner) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: ExhaustSubscriber(HeldSubscriber(subscriber), name: "FlatMapFirst", transform))
    }
  }
}
