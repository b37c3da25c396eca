// Counts the values.

extension Publisher {
  /// Publishes the number of values, once the stream finishes.
  @_alwaysEmitIntoClient @inline(__always)
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }
}

extension Publishers {
  /// Counts the values of another publisher.
  ///
  /// It asks for everything, whatever is asked of it. The number is delivered as soon as it has been asked for.
  public struct Count<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The number of values.
    public typealias Output = Int
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
      let policy = CountPolicy<Upstream.Output, WithoutClosure<Failure>>()
      upstream.receive(subscriber: DueSubscriber(policy, carrying: 0, to: subscriber))
    }
  }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct CountPolicy<Input, Closure: FailurePolicy>: FoldPolicy {
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure
  @usableFromInline typealias Carry = Int

  @inlinable @inline(__always)
  init() {}

  @inlinable static var name: StaticString { "Count" }

  @inlinable var initial: Int? { 0 }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Int>) -> Step<Int, Closure.Failure> {
    carrier.carry += 1
    return .hold
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<Int>) -> Int? { carrier.carry }
}
