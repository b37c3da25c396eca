// Drops values up to the first for which a predicate returns `false`.

extension Publisher {
  /// Drops values as long as a predicate returns `true`; passes on the first for which it does not, and all after it.
  ///
  /// - Parameter predicate: Returns `true` to drop a value; not called again after the first `false`.
  @_alwaysEmitIntoClient @inline(__always)
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Drops values as long as a predicate returns `true`; an error that it throws ends the stream.
  ///
  /// - Parameter predicate: Returns `true` to drop a value; not called again after the first `false`.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Drops values of another publisher as long as a predicate returns `true`.
  ///
  /// For each value that it drops it asks for one more.
  public struct DropWhile<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to drop a value; not called again after the first `false`.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` to drop a value; not called again after the first `false`.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = DropWhilePolicy(predicate: PlainPredicate<Output, Failure>(predicate))
      upstream.receive(subscriber: StageSubscriber(policy, carrying: true, to: subscriber))
    }
  }

  /// Drops values of another publisher as long as a throwing predicate returns `true`.
  ///
  /// For each value that it drops it asks for one more. When the predicate throws, the upstream is cancelled and the
  /// error delivered.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to drop a value; not called again after the first `false`.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` to drop a value; not called again after the first `false`.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = DropWhilePolicy(predicate: TryingPredicate<Output, Upstream.Failure>(predicate))
      upstream.receive(subscriber: StageSubscriber(policy, carrying: true, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct DropWhilePolicy<Closure: Predicate>: StagePolicy, ThrowingPolicy {
  @usableFromInline typealias Value = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure
  @usableFromInline typealias Carry = Bool

  @usableFromInline let predicate: Closure

  @inlinable @inline(__always)
  init(predicate: Closure) {
    self.predicate = predicate
  }

  @inlinable static var name: StaticString { Closure.pick("DropWhile", trying: "TryDropWhile") }

  @inlinable static var strays: Strays { .ignores }
  @inlinable static var refusesNone: Bool { true }
  @inlinable static var showsDownstream: Bool { false }

  @inlinable @inline(__always)
  func step(_ input: Value, _ isDropping: some Carrier<Bool>) -> Step<Value, Closure.Failure> {
    do throws(Closure.Thrown) {
      if isDropping.carry {
        if try predicate(input) { return .skip }
        isDropping.carry = false
      }
      return .emit(input)
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }
}
