// Drops a number of values.

extension Publisher {
  /// Drops a number of values and passes on all that come after them.
  ///
  /// - Parameter count: How many values to drop; a negative number traps when the upstream's subscription arrives.
  @_alwaysEmitIntoClient @inline(__always)
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// Drops a number of values of another publisher.
  ///
  /// The subscriber gets its subscription before the upstream is subscribed to. When the upstream's subscription
  /// arrives, it is asked for the values to drop, and for what the subscriber has asked for by then.
  public struct Drop<Upstream: Publisher>: Publisher {
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

    /// How many values are dropped; not negative.
    public let count: Int

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - count: How many values are dropped; not negative.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let inner = DropSubscriber(count, to: subscriber)
      subscriber.receive(subscription: inner.link)
      upstream.receive(subscriber: inner)
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

/// Drops a number of values, for which it asks on its own account.
///
/// As in Combine the downstream gets its subscription first, what it asks for before the upstream's arrives is added to
/// that request, everything is passed on blindly, and after a completion a further subscription is accepted.
@safe
@usableFromInline
package final class DropSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline package let link: LateLink

  /// How many values are still to be dropped.
  ///
  /// SAFETY (exclusivity): the upstream calls serially.
  @safe @exclusivity(unchecked) @usableFromInline var count: Int

  @inlinable
  package init(_ count: Int, to downstream: Downstream) {
    self.count = count
    self.downstream = downstream
    link = LateLink(name: "Drop")
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    precondition(count >= 0, "the number of values to drop must not be negative")
    link.connect(subscription, asking: .max(count))
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    if count > 0 {
      count -= 1
      return .none
    }
    return downstream.receive(input)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    link.complete()
    downstream.receive(completion: completion)
  }

  @usableFromInline package var description: String { "Drop" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self) }
}
