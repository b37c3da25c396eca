// Passes on some of the values.

extension Publisher {
  /// Passes on the values for which a predicate returns `true`.
  ///
  /// - Parameter isIncluded: Returns `true` to pass a value on.
  @_alwaysEmitIntoClient @inline(__always)
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }

  /// Passes on the values for which a predicate returns `true`; an error that it throws ends the stream.
  ///
  /// - Parameter isIncluded: Returns `true` to pass a value on.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// Passes on the values of another publisher for which a predicate returns `true`.
  ///
  /// For each value that it drops it asks for one more.
  public struct Filter<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to pass a value on.
    public let isIncluded: (Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - isIncluded: Returns `true` to pass a value on.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      upstream.receive(subscriber: StatelessSubscriber(FilterPolicy(isIncluded: isIncluded), subscriber))
    }

    /// Passes on the values for which both predicates return `true`, in one step.
    @_alwaysEmitIntoClient @inline(__always)
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Filter<Upstream> {
      let first = self.isIncluded
      return Filter(upstream: upstream) { first($0) && isIncluded($0) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "Filter")
        #endif
    }

    /// Passes on the values for which both predicates return `true`, in one step; an error that the second one throws
    /// ends the stream.
    @_alwaysEmitIntoClient @inline(__always)
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> TryFilter<Upstream> {
      let first = self.isIncluded
      return TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "TryFilter")
        #endif
    }
  }

  /// Passes on the values of another publisher for which a throwing predicate returns `true`.
  ///
  /// For each value that it drops it asks for one more. When the predicate throws, the upstream is cancelled and the
  /// error delivered.
  public struct TryFilter<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// Any error: the upstream's, or the predicate's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Returns `true` to pass a value on.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - isIncluded: Returns `true` to pass a value on.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Downstream.Failure == any Error {
      let policy = TryFilterPolicy<Output, Upstream.Failure>(isIncluded: isIncluded)
      upstream.receive(subscriber: StageSubscriber(policy, to: subscriber))
    }

    /// Passes on the values for which both predicates return `true`, in one step.
    @_alwaysEmitIntoClient @inline(__always)
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> TryFilter<Upstream> {
      tryFilter(isIncluded)
    }

    /// Passes on the values for which both predicates return `true`, in one step.
    @_alwaysEmitIntoClient @inline(__always)
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> TryFilter<Upstream> {
      let first = self.isIncluded
      return TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
        #if WEIR_INSPECTION
          ._fused(with: self, as: "TryFilter")
        #endif
    }
  }
}

@frozen
@usableFromInline
struct FilterPolicy<Input>: StatelessPolicy {
  @usableFromInline typealias Output = Input

  @usableFromInline let isIncluded: (Input) -> Bool

  @inlinable @inline(__always)
  init(isIncluded: @escaping (Input) -> Bool) { self.isIncluded = isIncluded }

  @inlinable
  static var name: String { "Filter" }

  @inlinable @inline(__always)
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Input {
    isIncluded(input) ? downstream.receive(input) : .max(1)
  }
}

@frozen
@usableFromInline
struct TryFilterPolicy<Input, Cause: Error>: StagePolicy {
  @usableFromInline typealias UpstreamFailure = Cause

  @usableFromInline let isIncluded: (Input) throws -> Bool

  @inlinable @inline(__always)
  init(isIncluded: @escaping (Input) throws -> Bool) { self.isIncluded = isIncluded }

  @inlinable static var name: StaticString { "TryFilter" }
  @inlinable static var strays: Strays { .refuses }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Input, any Error> {
    do { return try isIncluded(input) ? .emit(input) : .skip } catch { return .fail(error) }
  }
}
