// Passes values on up to the first for which a predicate returns `false`.

extension Publisher {
  /// Passes values on as long as a predicate returns `true`, and then finishes.
  ///
  /// - Parameter predicate: Returns `true` to pass a value on; the first `false` ends the stream and cancels the
  ///   upstream.
  @_alwaysEmitIntoClient @inline(__always)
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Passes values on as long as a predicate returns `true`, and then finishes; an error that it throws ends the
  /// stream.
  ///
  /// - Parameter predicate: Returns `true` to pass a value on; the first `false` ends the stream and cancels the
  ///   upstream, as does an error.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Passes on values of another publisher as long as a predicate returns `true`.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to pass a value on; the first `false` ends the stream.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` to pass a value on; the first `false` ends the stream.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = PrefixWhilePolicy(predicate: PlainPredicate<Output, Failure>(predicate))
      upstream.receive(subscriber: StageSubscriber(policy, to: subscriber))
    }
  }

  /// Passes on values of another publisher as long as a throwing predicate returns `true`.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to pass a value on; the first `false` ends the stream.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` to pass a value on; the first `false` ends the stream.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = PrefixWhilePolicy(predicate: TryingPredicate<Output, Upstream.Failure>(predicate))
      upstream.receive(subscriber: StageSubscriber(policy, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct PrefixWhilePolicy<Closure: Predicate>: StagePolicy, ThrowingPolicy {
  @usableFromInline typealias Value = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure

  @usableFromInline let predicate: Closure

  @inlinable @inline(__always)
  init(predicate: Closure) {
    self.predicate = predicate
  }

  @inlinable static var name: StaticString { Closure.pick("PrefixWhile", trying: "TryPrefixWhile") }

  @inlinable static var strays: Strays { .refuses }

  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<Void>) -> Step<Value, Closure.Failure> {
    do throws(Closure.Thrown) {
      return try predicate(input) ? .emit(input) : .finish
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }
}
