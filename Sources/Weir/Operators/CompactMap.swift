// Transforms every value, and drops those that become nothing.

extension Publisher {
  /// Transforms every value with a closure and drops those for which it returns `nil`.
  ///
  /// - Parameter transform: Makes the new value, or `nil`.
  @_alwaysEmitIntoClient @inline(__always)
  public func compactMap<ElementOfResult>(
    _ transform: @escaping (Output) -> ElementOfResult?
  ) -> Publishers.CompactMap<Self, ElementOfResult> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Transforms every value with a closure, drops those for which it returns `nil`, and ends the stream with an error
  /// that it throws.
  ///
  /// - Parameter transform: Makes the new value, or `nil`.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryCompactMap<ElementOfResult>(
    _ transform: @escaping (Output) throws -> ElementOfResult?
  ) -> Publishers.TryCompactMap<Self, ElementOfResult> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Transforms every value of another publisher with a closure and drops those that become `nil`.
  ///
  /// For each value that it drops it asks for one more.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the new value, or `nil`.
    public let transform: (Upstream.Output) -> Output?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - transform: Makes the new value, or `nil`.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: StatelessSubscriber(CompactMapPolicy(transform: transform), subscriber))
    }

    /// Transforms every value further, and drops those that become `nil`, in the same step.
    @_alwaysEmitIntoClient @inline(__always)
    public func compactMap<ElementOfResult>(
      _ transform: @escaping (Output) -> ElementOfResult?
    ) -> CompactMap<Upstream, ElementOfResult> {
      let first = self.transform
      return CompactMap<Upstream, ElementOfResult>(upstream: upstream) { first($0).flatMap(transform) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "CompactMap")
        #endif
    }

    /// Transforms every value further, in the same step.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<ElementOfResult>(
      _ transform: @escaping (Output) -> ElementOfResult
    ) -> CompactMap<Upstream, ElementOfResult> {
      let first = self.transform
      return CompactMap<Upstream, ElementOfResult>(upstream: upstream) { first($0).map(transform) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "Map")
        #endif
    }
  }

  /// Transforms every value of another publisher with a throwing closure and drops those that become `nil`.
  ///
  /// For each value that it drops it asks for one more. When the closure throws, the upstream is cancelled and the
  /// error delivered.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Any error: the upstream's, or the closure's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the new value, or `nil`.
    public let transform: (Upstream.Output) throws -> Output?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - transform: Makes the new value, or `nil`.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = TryCompactMapPolicy<Upstream.Output, Output, Upstream.Failure>(transform: transform)
      upstream.receive(subscriber: StageSubscriber(policy, to: subscriber))
    }

    /// Transforms every value further, and drops those that become `nil`, in the same step.
    @_alwaysEmitIntoClient @inline(__always)
    public func compactMap<ElementOfResult>(
      _ transform: @escaping (Output) throws -> ElementOfResult?
    ) -> TryCompactMap<Upstream, ElementOfResult> {
      let first = self.transform
      return TryCompactMap<Upstream, ElementOfResult>(upstream: upstream) { try first($0).flatMap(transform) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "TryCompactMap")
        #endif
    }
  }
}

@frozen
@usableFromInline
struct CompactMapPolicy<Input, Output>: StatelessPolicy {
  @usableFromInline let transform: (Input) -> Output?

  @inlinable @inline(__always)
  init(transform: @escaping (Input) -> Output?) { self.transform = transform }

  @inlinable
  static var name: String { "CompactMap" }

  @inlinable @inline(__always)
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Output {
    guard let output = transform(input) else { return .max(1) }
    return downstream.receive(output)
  }
}

@frozen
@usableFromInline
struct TryCompactMapPolicy<Input, Output, Cause: Error>: StagePolicy {
  @usableFromInline typealias UpstreamFailure = Cause

  @usableFromInline let transform: (Input) throws -> Output?

  @inlinable @inline(__always)
  init(transform: @escaping (Input) throws -> Output?) { self.transform = transform }

  @inlinable static var name: StaticString { "TryCompactMap" }
  @inlinable static var strays: Strays { .refuses }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Output, any Error> {
    do {
      guard let output = try transform(input) else { return .skip }
      return .emit(output)
    } catch {
      return .fail(error)
    }
  }
}
