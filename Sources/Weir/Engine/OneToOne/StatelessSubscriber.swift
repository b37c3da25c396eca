// The one subscriber of all operators without state.

/// What a stateless operator does with a value on its way.
@usableFromInline
package protocol StatelessPolicy<Input, Output> {
  /// The kind of values that come in.
  associatedtype Input
  /// The kind of values that go out.
  associatedtype Output

  /// The operator's name, as Combine shows it.
  static var name: String { get }

  /// Passes a value on, changed or not, or drops it.
  ///
  /// - Returns: The demand to return upstream: the downstream's, or one more for a dropped value.
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Output

  /// Passes a subscription on.
  func relay(_ subscription: any Subscription, to downstream: some Subscriber)

  /// What Combine's mirror of the operator shows.
  var children: [Mirror.Child] { get }
}

extension StatelessPolicy {
  @inlinable @inline(__always)
  package func relay(_ subscription: any Subscription, to downstream: some Subscriber) {
    downstream.receive(subscription: subscription)
  }

  @usableFromInline package var children: [Mirror.Child] { [] }
}

/// Stands between a publisher and a subscriber, and does with each value what a policy says.
///
/// It has no subscription of its own: the upstream's goes straight to the downstream, as do demand and cancellation. As
/// Combine's stateless operators do, it forwards blindly, also after a completion.
///
/// Every member is always inlined: the specialiser gives up on the third equal operator in a chain otherwise, since
/// each makes the type of the next one grow.
@frozen
@usableFromInline
package struct StatelessSubscriber<Policy: StatelessPolicy, Downstream: Subscriber>: Subscriber,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Output {
  @usableFromInline package typealias Input = Policy.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let policy: Policy
  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ policy: Policy, _ downstream: Downstream) {
    self.policy = policy
    self.downstream = downstream
  }

  /// The downstream's identity: making one of its own for each operator would cost something and tell nothing more.
  @inlinable @inline(__always)
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable @inline(__always)
  package func receive(subscription: any Subscription) { policy.relay(subscription, to: downstream) }

  @inlinable @inline(__always)
  package func receive(_ input: Policy.Input) -> Subscribers.Demand { policy.relay(input, to: downstream) }

  @inlinable @inline(__always)
  package func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline package var description: String { Policy.name }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self, children: policy.children) }
}
