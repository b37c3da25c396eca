// Gathers all values into one array.

extension Publisher {
  /// Publishes all values as one array, once the stream finishes; a failure drops them.
  ///
  /// - Complexity: Amortised O(1) per value; memory is O(*n*) in the number of values.
  @_alwaysEmitIntoClient @inline(__always)
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}

extension Publishers {
  /// Gathers all values of another publisher into one array.
  ///
  /// It asks for everything, whatever is asked of it. The array is delivered as soon as it has been asked for.
  ///
  /// - Complexity: Amortised O(1) per value; memory is O(*n*) in the number of values.
  public struct Collect<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// All values, in order.
    public typealias Output = [Upstream.Output]
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
      let policy = CollectPolicy<Upstream.Output, WithoutClosure<Failure>>()
      upstream.receive(subscriber: DueSubscriber(policy, carrying: [], to: subscriber))
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct CollectPolicy<Input, Closure: FailurePolicy>: FoldPolicy {
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure
  @usableFromInline typealias Carry = [Input]

  @inlinable @inline(__always)
  init() {}

  @inlinable static var name: StaticString { "Collect" }

  @inlinable static var showsDownstream: Bool { false }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<[Input]>) -> Step<[Input], Closure.Failure> {
    carrier.carry.append(input)
    return .hold
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<[Input]>) -> [Input]? { carrier.carry }

  @usableFromInline
  func children(_ carry: [Input]) -> [Mirror.Child] { [("count", carry.count)] }
}
