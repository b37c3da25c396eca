// Turns every value into a stream and merges the streams.

extension Publisher {
  /// Turns every value into a publisher and publishes what all of them publish, as it comes.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once; no further values are asked for until one
  ///     finishes.
  ///   - transform: Makes a publisher, given a value.
  @_alwaysEmitIntoClient
  public func flatMap<Result, Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Self> where Result == Child.Output, Failure == Child.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Turns every value into a publisher that can't fail and publishes what all of them publish, as it comes.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once; no further values are asked for until one
  ///     finishes.
  ///   - transform: Makes a publisher, given a value.
  @_alwaysEmitIntoClient
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Publishers.SetFailureType<Child, Failure>, Self> where Child.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
      transform($0).setFailureType(to: Failure.self)
    }
  }
}

extension Publisher where Failure == Never {
  /// Turns every value into a publisher and publishes what all of them publish, as it comes.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once; no further values are asked for until one
  ///     finishes.
  ///   - transform: Makes a publisher, given a value.
  @_alwaysEmitIntoClient
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Publishers.SetFailureType<Self, Child.Failure>> {
    setFailureType(to: Child.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Turns every value into a publisher that can't fail and publishes what all of them publish, as it comes.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of the publishers may be open at once; no further values are asked for until one
  ///     finishes.
  ///   - transform: Makes a publisher, given a value.
  @_alwaysEmitIntoClient
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Self> where Child.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publishers {
  /// Turns every value of another publisher into a publisher and publishes what all of these publish, as it comes.
  ///
  /// The stream finishes when the upstream and all inner publishers have finished, and fails as soon as one of them
  /// fails. As in Combine, the failure of an inner publisher does not cancel the upstream.
  ///
  /// Until the subscriber asks for everything, each inner publisher is asked for one value at a time; a value that
  /// comes without demand waits for it.
  ///
  /// - Complexity: A value, and opening or finishing one inner publisher, take amortised constant time, however many
  ///   are open. The first request for everything, the cancellation and the end are O(*n*) in the number of inner
  ///   publishers.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The inner publishers' kind of values.
    public typealias Output = NewPublisher.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many inner publishers may be open at once; no further values are asked for until one finishes.
    public let maxPublishers: Subscribers.Demand

    /// Makes a publisher, given a value.
    public let transform: (Upstream.Output) -> NewPublisher

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - maxPublishers: How many inner publishers may be open at once; no further values are asked for until one
    ///     finishes.
    ///   - transform: Makes a publisher, given a value.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where NewPublisher.Output == Downstream.Input, Failure == Downstream.Failure {
      attach(subscriber, cancelsUpstream: false)
    }

    /// Attaches a subscriber.
    ///
    /// - Parameters:
    ///   - subscriber: The subscriber.
    ///   - cancelsUpstream: `true` if the failure of an inner publisher cancels the upstream too.
    @inlinable @inline(__always)
    package func attach<Downstream: Subscriber>(_ subscriber: Downstream, cancelsUpstream: Bool)
    where NewPublisher.Output == Downstream.Input, Failure == Downstream.Failure {
      let link = FlattenLink(
        downstream: HeldSubscriber(subscriber),
        policy: .fair(maxPublishers: maxPublishers, cancelsOuter: cancelsUpstream), name: "FlatMap",
        isKnown: NewPublisher.self is any KnownStream.Type)
      subscriber.receive(subscription: link)
      upstream.receive(subscriber: OuterSubscriber(link, transform))
    }
  }
}
