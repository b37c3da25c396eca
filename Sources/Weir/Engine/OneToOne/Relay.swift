// The one subscriber of all operators without state.

/// What a stateless operator does with a value on its way.
@usableFromInline
package protocol RelayRule<Input, Output> {
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

extension RelayRule {
  @inlinable @inline(__always)
  package func relay(_ subscription: any Subscription, to downstream: some Subscriber) {
    downstream.receive(subscription: subscription)
  }

  @usableFromInline package var children: [Mirror.Child] { [] }
}

/// Stands between a publisher and a subscriber and applies a rule to each value.
///
/// It has no subscription of its own: the upstream's goes straight to the downstream, as do demand and cancellation. As
/// Combine's stateless operators do, it forwards blindly, also after a completion.
///
/// Every member is always inlined: the specialiser gives up on the third equal operator in a chain otherwise, since each
/// makes the type of the next one grow.
@frozen
@usableFromInline
package struct Relay<Rule: RelayRule, Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
where Downstream.Input == Rule.Output {
  @usableFromInline package typealias Input = Rule.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let rule: Rule
  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ rule: Rule, _ downstream: Downstream) {
    self.rule = rule
    self.downstream = downstream
  }

  /// The downstream's identity: making one of its own for each stage would cost something and tell nothing more.
  @inlinable @inline(__always)
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable @inline(__always)
  package func receive(subscription: any Subscription) { rule.relay(subscription, to: downstream) }

  @inlinable @inline(__always)
  package func receive(_ input: Rule.Input) -> Subscribers.Demand { rule.relay(input, to: downstream) }

  @inlinable @inline(__always)
  package func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline package var description: String { Rule.name }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self, children: rule.children) }
}
