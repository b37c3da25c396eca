// The one subscriber of operators that watch everything that passes between upstream and downstream.

import WeirQueues

/// Watches a stream without changing it.
@usableFromInline
package protocol TapPolicy<Value, Failure> {
  /// The kind of values that pass.
  associatedtype Value
  /// The kind of error that passes.
  associatedtype Failure: Error

  /// The operator's name, as Combine shows it.
  static var name: StaticString { get }

  /// Whether it goes on watching after the end of the stream, as long as anybody holds the subscription.
  static var outlivesTheEnd: Bool { get }

  /// Sees a subscription before anything is done with it.
  func see(subscription: any Subscription)

  /// Sees a value before it is passed on.
  func see(value: Value)

  /// Sees a completion before it is passed on.
  func see(completion: Subscribers.Completion<Failure>)

  /// Sees demand that was returned for a value.
  func see(returned demand: Subscribers.Demand)

  /// Sees demand before it is passed on.
  func see(requested demand: Subscribers.Demand)

  /// Sees a cancellation before it is passed on.
  func seeCancellation()
}

/// Stands between a publisher and a subscriber and shows a policy every signal.
///
/// It passes on values and completions blindly, as Combine does, also before its subscription and after the end.
@usableFromInline
package final class TapSubscriber<Policy: TapPolicy, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Value, Downstream.Failure == Policy.Failure {
  @usableFromInline package typealias Input = Policy.Value
  @usableFromInline package typealias Failure = Policy.Failure

  @usableFromInline let policy: Policy
  @usableFromInline let downstream: Downstream
  @usableFromInline let link: TapLink<Policy>

  @inlinable
  package init(_ policy: Policy, to downstream: Downstream) {
    self.policy = policy
    self.downstream = downstream
    link = TapLink(policy)
  }

  /// Whether the policy is still to see what passes.
  @inlinable @inline(__always)
  var isWatching: Bool { Policy.outlivesTheEnd || !link.isOver }

  @inlinable
  package func receive(subscription: any Subscription) {
    if isWatching { policy.see(subscription: subscription) }
    if link.connect(subscription) { downstream.receive(subscription: link) }
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    if isWatching { policy.see(value: input) }
    let demand = downstream.receive(input)
    if isWatching { policy.see(returned: demand) }
    return demand
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if isWatching { policy.see(completion: completion) }
    _ = link.endAtAnyTime(cancelling: false)
    link.retire()
    downstream.receive(completion: completion)
  }

  @usableFromInline package var description: String { "\(Policy.name)" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self) }
}

/// The subscription of a watched stream.
@usableFromInline
package final class TapLink<Policy: TapPolicy>: UpstreamLink {
  /// The policy, until the stream ends or, if it outlives that, for good. Not on a value's way.
  @usableFromInline let policy: Lock<Policy?>

  @inlinable
  package init(_ policy: Policy) {
    self.policy = Lock(policy)
    super.init(
      name: Policy.name,
      onRequest: { link, demand in
        let link = link.downcast(to: TapLink.self)
        link.watcher?.see(requested: demand)
        link.forward(demand)
      },
      onCancel: { link in
        let link = link.downcast(to: TapLink.self)
        // Of several threads that cancel, and of a cancellation from within this, one is seen.
        let watcher = link.policy.withLock { Policy.outlivesTheEnd ? $0 : $0.take() }
        watcher?.seeCancellation()
        link.disconnect()
      })
  }

  @inlinable
  var watcher: Policy? { policy.withLock { $0 } }

  /// Lets go of a policy that does not outlive the end.
  @inlinable
  func retire() {
    guard !Policy.outlivesTheEnd else { return }
    // Taken out, so that it is freed outside the lock.
    let retired = policy.withLock { $0.take() }
    withExtendedLifetime(retired) {}
  }
}
