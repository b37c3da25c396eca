// Gathers values into arrays of a fixed length.

extension Publisher {
  /// Gathers values and publishes them as arrays of a fixed length; the last array may be shorter.
  ///
  /// A failure drops what has been gathered.
  ///
  /// - Parameter count: How many values an array holds; at least 1.
  /// - Complexity: Amortised O(1) per value; memory is O(*count*).
  @_alwaysEmitIntoClient @inline(__always)
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// Gathers values of another publisher into arrays of a fixed length.
  ///
  /// It asks for as many values as fit into the arrays that it was asked for.
  ///
  /// - Complexity: Amortised O(1) per value; memory is O(*count*).
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Arrays of the upstream's values.
    public typealias Output = [Upstream.Output]
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values an array holds; at least 1.
    public let count: Int

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - count: How many values an array holds; at least 1.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      let policy = CollectByCountPolicy<Upstream.Output, Failure>(count: count)
      upstream.receive(subscriber: StageSubscriber(policy, carrying: [], to: subscriber))
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct CollectByCountPolicy<Value, Failure: Error>: StagePolicy {
  @usableFromInline typealias UpstreamFailure = Failure

  @usableFromInline let count: Int

  @inlinable @inline(__always)
  init(count: Int) { self.count = count }

  @inlinable static var name: StaticString { "CollectByCount" }
  @inlinable static var strays: Strays { .passesCompletions }
  @inlinable static var shownLife: ShownLife { .upstream }
  @inlinable @inline(__always) var scale: Int { count }

  /// Longest array whose storage is made at once, rather than as values come.
  @inlinable static var longestReserved: Int { 256 }

  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<[Value]>) -> Step<[Value], Failure> {
    if carrier.carry.isEmpty { carrier.carry.reserveCapacity(min(count, Self.longestReserved)) }
    carrier.carry.append(input)
    return carrier.carry.count == count ? .emit(take(carrier)) : .hold
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<[Value]>) -> [Value]? { carrier.carry.isEmpty ? nil : take(carrier) }

  @inlinable @inline(__always)
  func take(_ carrier: some Carrier<[Value]>) -> [Value] {
    let values = carrier.carry
    carrier.carry = []
    return values
  }

  @usableFromInline
  func children(_ carry: [Value]) -> [Mirror.Child] { [("buffer", carry), ("count", count)] }
}
