// Subscribes to a failed stream again.

extension Publisher {
  /// Subscribes to this stream again when it fails, up to a number of times; then the failure is passed on.
  ///
  /// Values that were passed on before a failure are not taken back. Demand that has not been met is passed to the next
  /// attempt.
  ///
  /// - Parameter retries: How many times it may subscribe again; without limit if negative.
  @_alwaysEmitIntoClient
  public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}

extension Publishers {
  /// Subscribes to another publisher again when it fails.
  ///
  /// A publisher that fails at once whenever it is subscribed to is tried again in a loop, so the stack does not grow.
  /// A value that the upstream sends without demand traps.
  public struct Retry<Upstream: Publisher>: Publisher {
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

    /// How many times the upstream may be subscribed to again; without limit if `nil` or negative.
    public let retries: Int?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - retries: How many times the upstream may be subscribed to again; without limit if `nil` or negative.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let attempts = retries.flatMap { $0 < 0 ? nil : $0 }
      upstream.receive(subscriber: RetrySubscriber(upstream, attempts: attempts, subscriber))
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}
