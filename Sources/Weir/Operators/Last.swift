// Picks the last value.

extension Publisher {
  /// Publishes only the last value, once the stream finishes.
  @_alwaysEmitIntoClient @inline(__always)
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }

  /// Publishes only the last value for which a predicate returns `true`, once the stream finishes.
  ///
  /// - Parameter predicate: Returns `true` for a value that may be published.
  @_alwaysEmitIntoClient @inline(__always)
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Publishes only the last value for which a predicate returns `true`, once the stream finishes; an error that the
  /// predicate throws ends the stream.
  ///
  /// - Parameter predicate: Returns `true` for a value that may be published.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the last value of another publisher.
  ///
  /// It asks for everything, whatever is asked of it. The value is delivered as soon as it has been asked for.
  public struct Last<Upstream: Publisher>: Publisher {
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
      let policy = LastPolicy<PlainPredicate<Output, Failure>, AnyValue>(predicate: nil)
      upstream.receive(subscriber: DueSubscriber(policy, carrying: nil, to: subscriber))
    }
  }

  /// Publishes the last value of another publisher for which a predicate returns `true`.
  ///
  /// It asks for everything, whatever is asked of it. The value is delivered as soon as it has been asked for.
  public struct LastWhere<Upstream: Publisher>: Publisher {
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

    /// Returns `true` for a value that may be published.
    public let predicate: (Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` for a value that may be published.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = LastPolicy<PlainPredicate<Output, Failure>, MatchingValue>(predicate: PlainPredicate(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, carrying: nil, to: subscriber))
    }
  }

  /// Publishes the last value of another publisher for which a throwing predicate returns `true`.
  ///
  /// It asks for everything, whatever is asked of it, until the predicate throws, which cancels the upstream. The value
  /// is delivered as soon as it has been asked for, an error at once.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// Any error: the upstream's, or the operator's own.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Returns `true` for a value that may be published.
    public let predicate: (Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` for a value that may be published.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = LastPolicy<TryingPredicate<Output, Upstream.Failure>, MatchingValue>(
        predicate: TryingPredicate(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, carrying: nil, to: subscriber))
    }
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct LastPolicy<Closure: Predicate, Selected: SelectionPolicy>: FoldPolicy {
  @usableFromInline typealias Value = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure
  @usableFromInline typealias Carry = Value?

  @usableFromInline let predicate: Closure?

  @inlinable @inline(__always)
  init(predicate: Closure?) {
    self.predicate = predicate
  }

  @inlinable static var name: StaticString {
    Selected.name(any: "Last", matching: Closure.pick("LastWhere", trying: "TryLastWhere"))
  }

  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<Value?>) -> Step<Value, Closure.Failure> {
    do throws(Closure.Thrown) {
      if try predicate?(input) ?? true { carrier.carry = input }
      return .hold
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<Value?>) -> Value? { carrier.carry }
}
