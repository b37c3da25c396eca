// The subscriber of operators that pass every value on and have something of their own to do around it.

import WeirQueues

/// What an operator does around values that it passes on one for one.
@usableFromInline
package protocol LinkedPolicy {
  /// The kind of values that come in.
  associatedtype Input
  /// The kind of values that go out.
  associatedtype Output

  /// Whether the stream is cut off already although the upstream has not been told yet.
  var isCut: Bool { get }

  /// The upstream's subscription has come; the downstream does not have its own yet.
  func begin()

  /// The downstream has its subscription.
  func open()

  /// The stream is cut off and a value has come nevertheless.
  func refuse()

  /// Passes a value on.
  ///
  /// - Returns: The demand to return upstream.
  func relay<Downstream: Subscriber>(
    _ input: Input, _ link: UpstreamLink, to downstream: Downstream
  ) -> Subscribers.Demand where Downstream.Input == Output
}

extension LinkedPolicy {
  @inlinable package var isCut: Bool { false }
  @inlinable package func begin() {}
  @inlinable package func open() {}
  @inlinable package func refuse() {}
}

/// Stands between a publisher and a subscriber that gets a subscription made by the operator.
@usableFromInline
package final class LinkedSubscriber<Policy: LinkedPolicy, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Output {
  @usableFromInline package typealias Input = Policy.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let policy: Policy
  @usableFromInline let link: UpstreamLink
  @usableFromInline let downstream: Downstream

  @inlinable
  package init(_ policy: Policy, _ link: UpstreamLink, to downstream: Downstream) {
    self.policy = policy
    self.link = link
    self.downstream = downstream
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard link.connect(subscription) else { return }
    policy.begin()
    downstream.receive(subscription: link)
    policy.open()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    guard link.isConnected else { return .none }
    if policy.isCut {
      policy.refuse()
      return .none
    }
    return policy.relay(input, link, to: downstream)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if !policy.isCut, link.complete() { downstream.receive(completion: completion) }
  }

  @usableFromInline package var description: String { link.description }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self) }
}
