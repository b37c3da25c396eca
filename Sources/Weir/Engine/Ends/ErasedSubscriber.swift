// The erased end of a chain: a subscriber as closures that were formed where its type was known.

/// A subscriber behind closures.
///
/// A method of a generic class reached through its vtable or a witness table runs unspecialised; a closure formed in
/// inlinable code at the typed call site is specialised. The closures are constants of a final class, so that calling
/// one counts no reference.
@usableFromInline
package final class ErasedSubscriber<Input, Failure: Error> {
  @usableFromInline package let receiveSubscription: (any Subscription) -> Void
  @usableFromInline package let receiveValue: (Input) -> Subscribers.Demand
  @usableFromInline package let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  /// The subscriber itself, for descriptions.
  @usableFromInline package let hidden: () -> Any

  @inlinable
  package init(
    receiveSubscription: @escaping (any Subscription) -> Void,
    receiveValue: @escaping (Input) -> Subscribers.Demand,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    hidden: @escaping () -> Any
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    self.hidden = hidden
  }

  @inlinable
  package convenience init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    let box = SubscriberBox(subscriber)
    self.init(
      receiveSubscription: { box.subscriber.receive(subscription: $0) },
      receiveValue: { box.subscriber.receive($0) },
      receiveCompletion: { box.subscriber.receive(completion: $0) },
      hidden: { box.subscriber })
  }
}

/// What shows the subscriber in a box to those that don't know its type.
@usableFromInline
package protocol SubscriberHolder {
  /// The subscriber.
  var heldSubscriber: Any { get }
}

/// A subscriber of any kind as one object, so that a closure that captures it needs no storage of its own.
@usableFromInline
package final class SubscriberBox<S: Subscriber>: SubscriberHolder {
  @usableFromInline let subscriber: S

  @usableFromInline package var heldSubscriber: Any { subscriber }

  @inlinable
  package init(_ subscriber: S) { self.subscriber = subscriber }
}
