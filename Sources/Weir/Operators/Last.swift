// Picks the last value.

extension Publisher {
  /// Publishes the last value only.
  ///
  /// That is known when the stream finishes.
  @_alwaysEmitIntoClient @inline(__always)
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }

  /// Publishes the last value only that satisfies a predicate.
  ///
  /// That is known when the stream finishes.
  ///
  /// - Parameter predicate: Decides about a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Publishes the last value only that satisfies a predicate; an error that it throws ends the stream.
  ///
  /// - Parameter predicate: Decides about a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Picks the last value of another publisher.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct Last<Upstream: Publisher>: Publisher {
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

  /// Picks the last value of another publisher that satisfies a predicate.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Decides about a value.
    public let predicate: (Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Decides about a value.
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

  /// Picks the last value of another publisher that satisfies a throwing predicate.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// Any error: the upstream's, or the operator's own.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Decides about a value.
    public let predicate: (Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Decides about a value.
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
