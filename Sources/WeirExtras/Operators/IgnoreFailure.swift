// Turns a failure into a finish.

public import Weir

extension Publisher {
  /// Passes values on and finishes when this stream fails, as if it had finished.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func ignoreFailure() -> Publishers.IgnoreFailure<Self> { Publishers.IgnoreFailure(upstream: self) }
}

extension Publishers {
  /// Passes the values of another publisher on and finishes when that one fails.
  public struct IgnoreFailure<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// `Never`: this publisher can't fail.
    public typealias Failure = Never

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
    where Downstream.Input == Output, Downstream.Failure == Never {
      upstream.receive(subscriber: IgnoreFailureSubscriber<Upstream.Failure, Downstream>(subscriber))
    }
  }
}

extension Publishers.IgnoreFailure: Equatable where Upstream: Equatable {}

/// Passes everything on but the failure. It has no subscription of its own.
@frozen
@usableFromInline
struct IgnoreFailureSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Downstream.Failure == Never {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  init(_ downstream: Downstream) { self.downstream = downstream }

  @inlinable @inline(__always)
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: .finished) }

  @usableFromInline var description: String { "IgnoreFailure" }
}
