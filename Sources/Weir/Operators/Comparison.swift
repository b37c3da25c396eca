// Finds the least or the greatest value.

extension Publisher where Output: Comparable {
  /// Publishes the least value, once the stream finishes.
  ///
  /// Of several equal values, it is the first.
  @_alwaysEmitIntoClient @inline(__always)
  public func min() -> Publishers.Comparison<Self> {
    min(by: <)
  }

  /// Publishes the greatest value, once the stream finishes.
  ///
  /// Of several equal values, it is the first.
  @_alwaysEmitIntoClient @inline(__always)
  public func max() -> Publishers.Comparison<Self> {
    max(by: <)
  }
}

extension Publisher {
  /// Publishes the least value in a given order, once the stream finishes.
  ///
  /// - Parameter areInIncreasingOrder: Returns `true` if its first argument comes before its second.
  @_alwaysEmitIntoClient @inline(__always)
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Publishes the least value in a given order, once the stream finishes; an error that the closure throws ends it.
  ///
  /// - Parameter areInIncreasingOrder: Returns `true` if its first argument comes before its second.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryMin(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool)
    -> Publishers.TryComparison<Self>
  {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }

  /// Publishes the greatest value in a given order, once the stream finishes.
  ///
  /// - Parameter areInIncreasingOrder: Returns `true` if its first argument comes before its second.
  @_alwaysEmitIntoClient @inline(__always)
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Publishes the greatest value in a given order, once the stream finishes; an error that the closure throws ends it.
  ///
  /// - Parameter areInIncreasingOrder: Returns `true` if its first argument comes before its second.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryMax(by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool)
    -> Publishers.TryComparison<Self>
  {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// Publishes the greatest value of another publisher in a given order.
  ///
  /// It asks for everything, whatever is asked of it. The result is delivered as soon as it has been asked for.
  public struct Comparison<Upstream: Publisher>: Publisher {
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

    /// Returns `true` if its first argument comes before its second.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - areInIncreasingOrder: Returns `true` if its first argument comes before its second.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = ComparisonPolicy(areInIncreasingOrder: PlainRelation<Output, Failure>(areInIncreasingOrder))
      upstream.receive(subscriber: DueSubscriber(policy, carrying: nil, to: subscriber))
    }
  }

  /// Publishes the greatest value of another publisher in an order given by a closure that may throw.
  ///
  /// It asks for everything, whatever is asked of it, until the closure throws, which cancels the upstream. The result
  /// is delivered as soon as it has been asked for, an error at once.
  public struct TryComparison<Upstream: Publisher>: Publisher {
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

    /// Returns `true` if its first argument comes before its second.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - areInIncreasingOrder: Returns `true` if its first argument comes before its second.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = ComparisonPolicy(
        areInIncreasingOrder: TryingRelation<Output, Upstream.Failure>(areInIncreasingOrder))
      upstream.receive(subscriber: DueSubscriber(policy, carrying: nil, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct ComparisonPolicy<Closure: Relation>: FoldPolicy {
  @usableFromInline typealias Value = Closure.Value
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure
  @usableFromInline typealias Carry = Value?

  @usableFromInline let areInIncreasingOrder: Closure

  @inlinable @inline(__always)
  init(areInIncreasingOrder: Closure) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  @inlinable static var name: StaticString { Closure.pick("Comparison", trying: "TryComparison") }

  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<Value?>) -> Step<Value, Closure.Failure> {
    do throws(Closure.Thrown) {
      if let greatest = carrier.carry, try !areInIncreasingOrder(greatest, input) { return .hold }
      carrier.carry = input
      return .hold
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<Value?>) -> Value? { carrier.carry }
}
