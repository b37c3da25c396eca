// Tells whether all values satisfy a predicate.

extension Publisher {
  /// Publishes one Boolean: `true` if a predicate returns `true` for all values, `false` at the first one for which it
  /// does not.
  ///
  /// - Parameter predicate: Returns `true` for a value that passes the test; the first `false` cancels the upstream.
  @_alwaysEmitIntoClient @inline(__always)
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Publishes one Boolean: `true` if a predicate returns `true` for all values, `false` at the first one for which it
  /// does not; an error that the predicate throws ends the stream.
  ///
  /// - Parameter predicate: Returns `true` for a value that passes the test; the first `false` cancels the upstream, as
  ///   does an error.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes whether a predicate returns `true` for all values of another publisher.
  ///
  /// It asks for everything, whatever is asked of it. The first value for which the predicate returns `false` cancels
  /// the upstream. The result is delivered as soon as it has been asked for.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// `true` if the predicate returned `true` for all values, also if there were none.
    public typealias Output = Bool
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Returns `true` for a value that passes the test.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` for a value that passes the test.
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

  /// Publishes whether a throwing predicate returns `true` for all values of another publisher.
  ///
  /// It asks for everything, whatever is asked of it. The first value for which the predicate returns `false` or throws
  /// cancels the upstream. The result is delivered as soon as it has been asked for, an error at once.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// `true` if the predicate returned `true` for all values, also if there were none.
    public typealias Output = Bool
    /// Any error: the upstream's, or the operator's own.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Returns `true` for a value that passes the test.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` for a value that passes the test.
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
