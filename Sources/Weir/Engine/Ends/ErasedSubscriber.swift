// The erased end of a chain: a subscriber as closures that were formed where its type was known.

/// A subscriber behind closures.
///
/// A method of a generic class reached through its vtable or a witness table runs unspecialised; a closure formed in
/// inlinable code at the typed call site is specialised. The closures are constants, so that calling one counts no
/// reference, and capture nothing, as they get the object itself: its subclass keeps the subscriber, or is one.
@usableFromInline
package class ErasedSubscriber<Input, Failure: Error> {
  @usableFromInline final let onSubscription: (ErasedSubscriber, any Subscription) -> Void
  @usableFromInline final let onValue: (ErasedSubscriber, Input) -> Subscribers.Demand
  @usableFromInline final let onCompletion: (ErasedSubscriber, Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    onSubscription: @escaping (ErasedSubscriber, any Subscription) -> Void,
    onValue: @escaping (ErasedSubscriber, Input) -> Subscribers.Demand,
    onCompletion: @escaping (ErasedSubscriber, Subscribers.Completion<Failure>) -> Void
  ) {
    self.onSubscription = onSubscription
    self.onValue = onValue
    self.onCompletion = onCompletion
  }

  /// A subscriber of any kind behind closures: itself if it is made for that.
  @inlinable
  package static func of<S: Subscriber>(_ subscriber: S) -> ErasedSubscriber
  where S.Input == Input, S.Failure == Failure {
    if S.self is ErasedSubscriber.Type, let erased = subscriber as? ErasedSubscriber { return erased }
    return HiddenSubscriber(subscriber)
  }

  @inlinable @inline(__always)
  package final func receiveSubscription(_ subscription: any Subscription) { onSubscription(self, subscription) }

  @inlinable @inline(__always)
  package final func receiveValue(_ value: Input) -> Subscribers.Demand { onValue(self, value) }

  @inlinable @inline(__always)
  package final func receiveCompletion(_ completion: Subscribers.Completion<Failure>) { onCompletion(self, completion) }

  /// This object as one of the class that it is of: for the closures that the class has formed for it.
  @inlinable @inline(__always)
  final func narrowed<Kind: ErasedSubscriber>(to kind: Kind.Type) -> Kind {
    // SAFETY: the object calls no closures but its own, which its class forms, and passes itself.
    unsafe unsafeDowncast(self, to: kind)
  }

  /// The subscriber itself, for descriptions.
  @usableFromInline
  package func hidden() -> Any { self }
}

/// Keeps a subscriber of any kind behind its closures.
@usableFromInline
final class HiddenSubscriber<S: Subscriber>: ErasedSubscriber<S.Input, S.Failure> {
  @usableFromInline let subscriber: S

  @inlinable
  init(_ subscriber: S) {
    self.subscriber = subscriber
    super.init(
      onSubscription: { $0.narrowed(to: HiddenSubscriber.self).subscriber.receive(subscription: $1) },
      onValue: { $0.narrowed(to: HiddenSubscriber.self).subscriber.receive($1) },
      onCompletion: { $0.narrowed(to: HiddenSubscriber.self).subscriber.receive(completion: $1) })
  }

  @usableFromInline
  package override func hidden() -> Any { subscriber }
}

/// A subscriber that is nothing but closures.
@usableFromInline
final class ClosureSubscriber<Input, Failure: Error>: ErasedSubscriber<Input, Failure> {
  @usableFromInline let subscribed: (any Subscription) -> Void
  @usableFromInline let received: (Input) -> Subscribers.Demand
  @usableFromInline let completed: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    receiveSubscription: @escaping (any Subscription) -> Void,
    receiveValue: @escaping (Input) -> Subscribers.Demand,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    subscribed = receiveSubscription
    received = receiveValue
    completed = receiveCompletion
    super.init(
      onSubscription: { $0.narrowed(to: ClosureSubscriber.self).subscribed($1) },
      onValue: { $0.narrowed(to: ClosureSubscriber.self).received($1) },
      onCompletion: { $0.narrowed(to: ClosureSubscriber.self).completed($1) })
  }

  @usableFromInline
  package override func hidden() -> Any { "Anonymous AnySubscriber" }
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
