// Drops all values and passes on the end.

extension Publisher {
  /// Drops all values and passes on only the completion.
  @_alwaysEmitIntoClient @inline(__always)
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// Drops all values of another publisher, which it asks for everything.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// There are no values.
    public typealias Output = Never
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the values come from.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: StatelessSubscriber(IgnoreOutputPolicy<Upstream.Output>(), subscriber))
    }
  }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct IgnoreOutputPolicy<Input>: StatelessPolicy {
  @usableFromInline typealias Output = Never

  @inlinable @inline(__always)
  init() {}

  @inlinable
  static var name: String { "IgnoreOutput" }

  @inlinable @inline(__always)
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Never {
    .none
  }

  @inlinable @inline(__always)
  func relay(_ subscription: any Subscription, to downstream: some Subscriber) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }
}
