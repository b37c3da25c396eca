// Picks the first value.

extension Publisher {
  /// Publishes the first value only.
  ///
  /// It ends the stream then.
  @_alwaysEmitIntoClient @inline(__always)
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }

  /// Publishes the first value only that satisfies a predicate.
  ///
  /// It ends the stream then.
  ///
  /// - Parameter predicate: Decides about a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// Publishes the first value only that satisfies a predicate; an error that it throws ends the stream.
  ///
  /// - Parameter predicate: Decides about a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Picks the first value of another publisher.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct First<Upstream: Publisher>: Publisher {
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
      let policy = FirstPolicy<PlainPredicate<Output, Failure>, AnyValue>(predicate: nil)
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }

  /// Picks the first value of another publisher that satisfies a predicate.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
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
      let policy = FirstPolicy<PlainPredicate<Output, Failure>, MatchingValue>(predicate: PlainPredicate(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }

  /// Picks the first value of another publisher that satisfies a throwing predicate.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
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
      let policy = FirstPolicy<TryingPredicate<Output, Upstream.Failure>, MatchingValue>(
        predicate: TryingPredicate(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct FirstPolicy<Closure: Predicate, Selected: SelectionPolicy>: FoldPolicy {
  @usableFromInline typealias Value = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure

  @usableFromInline let predicate: Closure?

  @inlinable @inline(__always)
  init(predicate: Closure?) {
    self.predicate = predicate
  }

  /// Combine calls the one with a predicate `TryFirst` although it doesn't throw.
  @inlinable static var name: StaticString {
    Selected.name(any: "First", matching: Closure.pick("TryFirst", trying: "TryFirstWhere"))
  }

  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<Void>) -> Step<Value, Closure.Failure> {
    do throws(Closure.Thrown) {
      return try predicate?(input) ?? true ? .last(input) : .hold
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }
}
