// A subscriber as subscriptions hold it: one retained object, and closures that may be called in its place.

import WeirQueues

/// A subscriber that passes values to closures of its own, which a publisher may call without it.
///
/// A constraint only: to ask a value whether it is such a subscriber would be a look-up for each subscription. Those
/// who know the types that conform ask for these, and say so to the engine.
@usableFromInline
package protocol DirectSubscriber: AnyObject, Subscriber {
  /// Gives the handlers of the closures to a closure, and where the subscription is kept.
  func withHandlers<Result>(
    _ body: (borrowing GuardedClosures<Input, Failure>, borrowing UpstreamSlot) -> Result
  ) -> Result

  /// Takes a subscription, without the detour over an existential.
  func receive(link: Link)
}

extension DirectSubscriber {
  /// The closures, retained once; `nil` if there has been a subscription: the subscriber refuses another one then.
  @inlinable @inline(__always)
  func retainedClosures() -> Unmanaged<SubscriberClosures<Input, Failure>>? {
    unsafe withHandlers { handlers, upstream in unsafe handlers.retainedClosures(unless: upstream.state) }
  }
}

/// A subscriber as one retained object, so that a delivery counts no reference: in a box; or by itself, with its
/// closures, if these may be called in its place.
///
/// Whoever gets this owes the two references: it releases them when nothing runs in the subscriber any more.
@safe
@frozen
@usableFromInline
package struct HeldSubscriber<Downstream: Subscriber> {
  @usableFromInline typealias Closures = SubscriberClosures<Downstream.Input, Downstream.Failure>

  /// A box, or the subscriber itself if there are closures; retained once.
  @usableFromInline let target: Unmanaged<AnyObject>
  /// Retained once.
  @usableFromInline let closures: Unmanaged<Closures>?

  /// Holds a subscriber of any kind.
  @inlinable
  package init(boxed subscriber: Downstream) {
    unsafe target = .passRetained(SubscriberBox(subscriber))
    unsafe closures = nil
  }

  /// Holds a subscriber with its closures, or in a box if it refuses a further subscription.
  ///
  /// - Parameter subscriber: The subscriber; `Direct` is `Downstream`, by the caller's word.
  @inlinable @inline(__always)
  package init<Direct: DirectSubscriber>(direct subscriber: Direct)
  where Direct.Input == Downstream.Input, Direct.Failure == Downstream.Failure {
    unsafe closures = subscriber.retainedClosures()
    unsafe target =
      closures == nil ? .passRetained(SubscriberBox(subscriber)) : .passRetained(subscriber)
  }
}
