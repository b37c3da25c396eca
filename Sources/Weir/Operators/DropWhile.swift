// Drops values up to the first that fails a predicate.

extension Publisher {
  /// Drops values as long as they satisfy a predicate; the first that doesn't passes, and all after it.
  ///
  /// - Parameter predicate: Decides about a value; not called again after the first `false`.
  @_alwaysEmitIntoClient @inline(__always)
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Drops values as long as they satisfy a predicate; an error that it throws ends the stream.
  ///
  /// - Parameter predicate: Decides about a value; not called again after the first `false`.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Drops values of another publisher as long as they satisfy a predicate.
  ///
  /// For each value that it drops it asks for one more.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
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
      let policy = DropWhilePolicy(predicate: PlainPredicate<Output, Failure>(predicate))
      upstream.receive(subscriber: StageSubscriber(policy, carrying: true, to: subscriber))
    }
  }

  /// Drops values of another publisher as long as they satisfy a throwing predicate.
  ///
  /// For each value that it drops it asks for one more.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
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
