// The one subscriber of operators that leave the values as they are and look at the signals.

/// What a stateless operator does with signals on their way.
@usableFromInline
package protocol SignalPolicy<Value>: FailureConverter {
  /// The kind of values that pass.
  associatedtype Value

  /// The operator's name, as Combine shows it.
  static var name: String { get }

  /// Looks at a subscription before it is passed on.
  func look(atSubscription subscription: any Subscription)

  /// Looks at a value before it is passed on.
  func look(atValue value: Value)

  /// Looks at a completion before it is converted and passed on.
  func look(atCompletion completion: Subscribers.Completion<UpstreamFailure>)

  /// What Combine's mirror of the operator shows.
  var children: [Mirror.Child] { get }
}

extension SignalPolicy {
  @inlinable @inline(__always)
  package func look(atSubscription subscription: any Subscription) {}

  @inlinable @inline(__always)
  package func look(atValue value: Value) {}

  @inlinable @inline(__always)
  package func look(atCompletion completion: Subscribers.Completion<UpstreamFailure>) {}

  @usableFromInline package var children: [Mirror.Child] { [] }
}

/// Stands between a publisher and a subscriber and shows a policy each signal; only the kind of error may change.
///
/// Like `StatelessSubscriber` it has no subscription of its own, forwards blindly, and is always inlined.
@frozen
@usableFromInline
package struct SignalSubscriber<Policy: SignalPolicy, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Policy.Value, Downstream.Failure == Policy.Failure {
  @usableFromInline package typealias Input = Policy.Value
  @usableFromInline package typealias Failure = Policy.UpstreamFailure

  @usableFromInline let policy: Policy
  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ policy: Policy, _ downstream: Downstream) {
    self.policy = policy
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable @inline(__always)
  package func receive(subscription: any Subscription) {
    policy.look(atSubscription: subscription)
    downstream.receive(subscription: subscription)
  }

  @inlinable @inline(__always)
  package func receive(_ input: Policy.Value) -> Subscribers.Demand {
    policy.look(atValue: input)
    return downstream.receive(input)
  }

  @inlinable @inline(__always)
  package func receive(completion: Subscribers.Completion<Policy.UpstreamFailure>) {
    policy.look(atCompletion: completion)
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let failure): downstream.receive(completion: .failure(policy.convert(failure)))
    }
  }

  @usableFromInline package var description: String { Policy.name }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self, children: policy.children) }
}
