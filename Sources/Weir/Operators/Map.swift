// Transforms every value.

extension Publisher {
  /// Transforms every value with a closure.
  ///
  /// - Parameter transform: Makes the new value, given the old one.
  @_alwaysEmitIntoClient @inline(__always)
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Map<Self, Result> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Transforms every value of another publisher with a closure.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the new value, given the old one.
    public let transform: (Upstream.Output) -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - transform: Makes the new value, given the old one.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
      upstream.receive(subscriber: StatelessSubscriber(MapPolicy(transform: transform), subscriber))
    }

    /// Transforms every value further, in the same step.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<Result>(_ transform: @escaping (Output) -> Result) -> Map<Upstream, Result> {
      let first = self.transform
      return Map<Upstream, Result>(upstream: upstream) { transform(first($0)) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "Map")
        #endif
    }
  }
}

@frozen
@usableFromInline
struct MapPolicy<Input, Output>: StatelessPolicy {
  @usableFromInline let transform: (Input) -> Output

  @inlinable @inline(__always)
  init(transform: @escaping (Input) -> Output) { self.transform = transform }

  @inlinable
  static var name: String { "Map" }

  @inlinable @inline(__always)
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Output {
    downstream.receive(transform(input))
  }
}
