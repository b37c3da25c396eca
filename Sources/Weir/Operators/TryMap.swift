// Transforms every value, or ends the stream with an error.

extension Publisher {
  /// Transforms every value with a closure; an error that it throws ends the stream.
  ///
  /// - Parameter transform: Makes the new value, given the old one.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryMap<Result>(_ transform: @escaping (Output) throws -> Result) -> Publishers.TryMap<Self, Result> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Transforms every value of another publisher with a throwing closure.
  ///
  /// When the closure throws, the upstream is cancelled and the error delivered. As in Combine, values that an upstream
  /// sends without a subscription, or after its end, are transformed and passed on all the same.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Any error: the upstream's, or the closure's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the new value, given the old one.
    public let transform: (Upstream.Output) throws -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - transform: Makes the new value, given the old one.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Downstream.Failure == any Error {
      let policy = TryMapPolicy<Upstream.Output, Output, Upstream.Failure>(transform: transform)
      upstream.receive(subscriber: StageSubscriber(policy, to: subscriber))
    }

    /// Transforms every value further, in the same step.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<Result>(_ transform: @escaping (Output) -> Result) -> TryMap<Upstream, Result> { tryMap(transform) }

    /// Transforms every value further, in the same step.
    @_alwaysEmitIntoClient @inline(__always)
    public func tryMap<Result>(_ transform: @escaping (Output) throws -> Result) -> TryMap<Upstream, Result> {
      let first = self.transform
      return TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "TryMap")
        #endif
    }
  }
}

extension Publishers.Map {
  /// Transforms every value further, in the same step; an error that the closure throws ends the stream.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryMap<Result>(_ transform: @escaping (Output) throws -> Result) -> Publishers.TryMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryMap(upstream: upstream) { try transform(first($0)) }
      #if WEIR_INSPECTION
        ._fused(with: self, as: "TryMap")
      #endif
  }
}

@frozen
@usableFromInline
struct TryMapPolicy<Input, Output, Cause: Error>: StagePolicy {
  @usableFromInline typealias UpstreamFailure = Cause

  @usableFromInline let transform: (Input) throws -> Output

  @inlinable @inline(__always)
  init(transform: @escaping (Input) throws -> Output) { self.transform = transform }

  @inlinable static var name: StaticString { "TryMap" }
  @inlinable static var strays: Strays { .passesValues }
  @inlinable static var showsDownstream: Bool { false }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Output, any Error> {
    do { return .emit(try transform(input)) } catch { return .fail(error) }
  }
}
