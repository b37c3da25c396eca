// Tells whether all values satisfy a predicate.

extension Publisher {
  /// Publishes one Boolean: whether all values satisfy a predicate.
  ///
  /// The first value that doesn't ends the stream.
  ///
  /// - Parameter predicate: Decides about a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Publishes one Boolean: whether all values satisfy a predicate; an error that it throws ends the stream.
  ///
  /// - Parameter predicate: Decides about a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Tells whether all values of another publisher satisfy a predicate.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    /// Whether they all do.
    public typealias Output = Bool
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Decides about a value.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Decides about a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = AllSatisfyPolicy(predicate: PlainPredicate<Upstream.Output, Upstream.Failure>(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }

  /// Tells whether all values of another publisher satisfy a throwing predicate.
  ///
  /// The result is delivered when it has been asked for; all values of the upstream are taken whatever is asked for.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    /// Whether they all do.
    public typealias Output = Bool
    /// Any error: the upstream's, or the operator's own.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Decides about a value.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Decides about a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = AllSatisfyPolicy(predicate: TryingPredicate<Upstream.Output, Upstream.Failure>(predicate))
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct AllSatisfyPolicy<Closure: Predicate>: FoldPolicy {
  @usableFromInline typealias Input = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure

  @usableFromInline let predicate: Closure

  @inlinable @inline(__always)
  init(predicate: Closure) {
    self.predicate = predicate
  }

  @inlinable static var name: StaticString { Closure.pick("AllSatisfy", trying: "TryAllSatisfy") }

  @inlinable var initial: Bool? { true }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Void>) -> Step<Bool, Closure.Failure> {
    do throws(Closure.Thrown) {
      return try predicate(input) ? .hold : .last(false)
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<Void>) -> Bool? { true }
}
