// The one subscriber of operators that leave the values as they are and look at the signals.

/// What a stateless operator does with signals on their way.
@usableFromInline
package protocol SignalRule<Value>: FailureConverter {
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

extension SignalRule {
  @inlinable @inline(__always)
  package func look(atSubscription subscription: any Subscription) {}

  @inlinable @inline(__always)
  package func look(atValue value: Value) {}

  @inlinable @inline(__always)
  package func look(atCompletion completion: Subscribers.Completion<UpstreamFailure>) {}

  @usableFromInline package var children: [Mirror.Child] { [] }
}

/// Stands between a publisher and a subscriber and shows a rule each signal; only the kind of error may change.
///
/// Like `Relay` it has no subscription of its own, forwards blindly, and is always inlined.
@frozen
@usableFromInline
package struct SignalRelay<Rule: SignalRule, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Rule.Value, Downstream.Failure == Rule.Failure {
  @usableFromInline package typealias Input = Rule.Value
  @usableFromInline package typealias Failure = Rule.UpstreamFailure

  @usableFromInline let rule: Rule
  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ rule: Rule, _ downstream: Downstream) {
    self.rule = rule
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable @inline(__always)
  package func receive(subscription: any Subscription) {
    rule.look(atSubscription: subscription)
    downstream.receive(subscription: subscription)
  }

  @inlinable @inline(__always)
  package func receive(_ input: Rule.Value) -> Subscribers.Demand {
    rule.look(atValue: input)
    return downstream.receive(input)
  }

  @inlinable @inline(__always)
  package func receive(completion: Subscribers.Completion<Rule.UpstreamFailure>) {
    rule.look(atCompletion: completion)
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let failure): downstream.receive(completion: .failure(rule.convert(failure)))
    }
  }

  @usableFromInline package var description: String { Rule.name }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self, children: rule.children) }
}
