// Tells whether a value occurs.

extension Publisher where Output: Equatable {
  /// Publishes one Boolean: `true` at the first value that equals the given one, `false` if the stream finishes without
  /// it.
  ///
  /// - Parameter output: The value to look for; when it comes, the upstream is cancelled.
  @_alwaysEmitIntoClient @inline(__always)
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publisher {
  /// Publishes one Boolean: `true` at the first value for which a predicate returns `true`, `false` if the stream
  /// finishes without one.
  ///
  /// - Parameter predicate: Returns `true` for a value that is looked for; the first `true` cancels the upstream.
  @_alwaysEmitIntoClient @inline(__always)
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Publishes one Boolean: `true` at the first value for which a predicate returns `true`, `false` if the stream
  /// finishes without one; an error that the predicate throws ends the stream.
  ///
  /// - Parameter predicate: Returns `true` for a value that is looked for; the first `true` cancels the upstream, as
  ///   does an error.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes whether a value occurs among those of another publisher.
  ///
  /// It asks for everything, whatever is asked of it. The first such value cancels the upstream. The result is
  /// delivered as soon as it has been asked for.
  public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// `true` if the value occurs.
    public typealias Output = Bool
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The value to look for.
    public let output: Upstream.Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - output: The value to look for.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let output = output
      let policy = ContainsPolicy<PlainPredicate<Upstream.Output, Upstream.Failure>, AnyValue>(
        predicate: PlainPredicate { $0 == output })
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }

  /// Publishes whether a predicate returns `true` for a value of another publisher.
  ///
  /// It asks for everything, whatever is asked of it. The first such value cancels the upstream. The result is
  /// delivered as soon as it has been asked for.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// `true` if the predicate returned `true` for a value.
    public typealias Output = Bool
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Returns `true` for a value that is looked for.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` for a value that is looked for.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = ContainsPolicy<PlainPredicate<Upstream.Output, Upstream.Failure>, MatchingValue>(
        predicate: PlainPredicate(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }

  /// Publishes whether a throwing predicate returns `true` for a value of another publisher.
  ///
  /// It asks for everything, whatever is asked of it. The first value for which the predicate returns `true` or throws
  /// cancels the upstream. The result is delivered as soon as it has been asked for, an error at once.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// `true` if the predicate returned `true` for a value.
    public typealias Output = Bool
    /// Any error: the upstream's, or the operator's own.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Returns `true` for a value that is looked for.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` for a value that is looked for.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = ContainsPolicy<TryingPredicate<Upstream.Output, Upstream.Failure>, MatchingValue>(
        predicate: TryingPredicate(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct ContainsPolicy<Closure: Predicate, Selected: SelectionPolicy>: FoldPolicy {
  @usableFromInline typealias Input = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure

  @usableFromInline let predicate: Closure

  @inlinable @inline(__always)
  init(predicate: Closure) {
    self.predicate = predicate
  }

  @inlinable static var name: StaticString {
    Selected.name(any: "Contains", matching: Closure.pick("ContainsWhere", trying: "TryContainsWhere"))
  }

  @inlinable var initial: Bool? { false }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Bool, Closure.Failure> {
    do throws(Closure.Thrown) {
      return try predicate(input) ? .last(true) : .hold
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<Void>) -> Bool? { false }
}
