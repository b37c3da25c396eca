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

/// Closures that say what type of subscriber they belong to: whoever makes the type says it of them.
@usableFromInline
package protocol OwnedClosures {
  /// The only type of subscriber that these closures may be called in place of.
  associatedtype Owner
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
/// Which of the two it is depends on the type alone (`isDirect`): where the type is known, the compiler leaves out the
/// other way, with the registers and the question that it would take.
///
/// Whoever gets this owes the two references: it releases them when nothing runs in the subscriber any more.
@safe
@frozen
@usableFromInline
package struct HeldSubscriber<Downstream: Subscriber> {
  @usableFromInline typealias Closures = SubscriberClosures<Downstream.Input, Downstream.Failure>

  /// A box, or the subscriber itself if its type is direct; retained once.
  @usableFromInline let target: Unmanaged<AnyObject>
  /// Retained once; `nil` if the type is not direct, and if the subscriber refuses a further subscription.
  @usableFromInline let closures: Unmanaged<Closures>?

  /// Whether subscribers of this type are held by themselves: those are whom the closures belong to.
  @inlinable @inline(__always)
  package static var isDirect: Bool { Downstream.self == Closures.Owner.self }

  /// Holds a subscriber whose type is not direct.
  @inlinable
  package init(boxed subscriber: Downstream) {
    unsafe target = .passRetained(SubscriberBox(subscriber))
    unsafe closures = nil
  }

  /// Holds a subscriber by itself, with its closures unless it refuses a further subscription.
  ///
  /// - Parameter subscriber: The subscriber; `Direct` is `Downstream`, by the caller's word.
  @inlinable @inline(__always)
  package init<Direct: DirectSubscriber>(direct subscriber: Direct)
  where Direct.Input == Downstream.Input, Direct.Failure == Downstream.Failure {
    unsafe closures = subscriber.retainedClosures()
    unsafe target = .passRetained(subscriber)
  }
}
