// Publishes each value together with the one before.

public import Weir

extension Publisher {
  /// Publishes each value together with the one before; nothing for the first.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func pairwise() -> Publishers.Pairwise<Self> { Publishers.Pairwise(upstream: self) }
}

extension Publishers {
  /// Publishes each value of another publisher together with the one before.
  public struct Pairwise<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// A value, and the one before.
    public typealias Output = (previous: Upstream.Output, current: Upstream.Output)
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Creates the publisher.
    ///
    /// - Parameter upstream: Where the values come from.
    @inlinable @inline(__always)
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: StageSubscriber(PairwisePolicy(), carrying: nil, to: subscriber))
    }
  }
}

extension Publishers.Pairwise: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct PairwisePolicy<Input, Failure: Error>: StagePolicy {
  @usableFromInline typealias Output = (previous: Input, current: Input)
  @usableFromInline typealias UpstreamFailure = Failure
  @usableFromInline typealias Carry = Input?

  @inlinable @inline(__always)
  init() {}

  @inlinable static var name: StaticString { "Pairwise" }
  @inlinable static var strays: Strays { .ignores }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Input?>) -> Step<Output, Failure> {
    let previous = carrier.carry
    carrier.carry = input
    guard let previous else { return .skip }
    return .emit((previous, input))
  }
}
