// Drops values that are equal to the one before.

extension Publisher where Output: Equatable {
  /// Drops every value that is equal to the one before.
  @_alwaysEmitIntoClient @inline(__always)
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}

extension Publisher {
  /// Drops every value that, by a predicate, duplicates the one before.
  ///
  /// - Parameter predicate: Returns `true` to drop its second argument, the newer value, as a duplicate of its first.
  @_alwaysEmitIntoClient @inline(__always)
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  /// Drops every value that, by a predicate, duplicates the one before; an error that the predicate throws ends the
  /// stream.
  ///
  /// - Parameter predicate: Returns `true` to drop its second argument, the newer value, as a duplicate of its first.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Drops every value of another publisher that duplicates the one that came before it, whether that was dropped or
  /// not.
  ///
  /// For each value that it drops it asks for one more.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to drop its second argument, the newer value, as a duplicate of its first.
    public let predicate: (Output, Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` to drop its second argument, the newer value, as a duplicate of its first.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      let policy = RemoveDuplicatesPolicy(predicate: PlainRelation<Output, Failure>(predicate))
      upstream.receive(subscriber: StageSubscriber(policy, carrying: nil, to: subscriber))
    }
  }

  /// Drops every value of another publisher that, by a throwing predicate, duplicates the one that came before it,
  /// whether that was dropped or not.
  ///
  /// For each value that it drops it asks for one more. When the predicate throws, the upstream is cancelled and the
  /// error delivered.
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to drop its second argument, the newer value, as a duplicate of its first.
    public let predicate: (Output, Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - predicate: Returns `true` to drop its second argument, the newer value, as a duplicate of its first.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, predicate: @escaping (Output, Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Downstream.Failure == any Error {
      let policy = RemoveDuplicatesPolicy(predicate: TryingRelation<Output, Upstream.Failure>(predicate))
      upstream.receive(subscriber: StageSubscriber(policy, carrying: nil, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct RemoveDuplicatesPolicy<Closure: Relation>: StagePolicy, ThrowingPolicy {
  @usableFromInline typealias Value = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure

  @usableFromInline let predicate: Closure

  @inlinable @inline(__always)
  init(predicate: Closure) { self.predicate = predicate }

  @inlinable static var name: StaticString { Closure.pick("RemoveDuplicates", trying: "TryRemoveDuplicates") }
  @inlinable static var strays: Strays { .refuses }

  /// The value is stored first, so that one that the predicate sends to the same stream is compared with it.
  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<Value?>) -> Step<Value, Closure.Failure> {
    let last = carrier.carry
    carrier.carry = input
    do throws(Closure.Thrown) {
      if let last, try predicate(last, input) { return .skip }
      return .emit(input)
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }

  @usableFromInline
  func children(_ carry: Value?) -> [Mirror.Child] { [("last", carry as Any)] }
}
