// Takes any demand for unlimited demand.

/// Passes everything on, with a subscription that asks for everything as soon as it is asked for anything.
@frozen
@usableFromInline
struct UnmeteredSubscriber<Downstream: Subscriber>: Subscriber, SubscriberHolder {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ downstream: Downstream) { self.downstream = downstream }

  @usableFromInline var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @usableFromInline var heldSubscriber: Any { downstream }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: UnmeteredLink(subscription))
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    _ = downstream.receive(input)
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

/// A subscription that asks for everything as soon as it is asked for anything, even for nothing.
@usableFromInline
final class UnmeteredLink: WrapperLink {
  @usableFromInline
  init(_ subscription: any Subscription) {
    super.init(
      subscription,
      onRequest: { link, _ in link.downcast(to: UnmeteredLink.self).upstream.request(.unlimited) },
      onCancel: { link in link.downcast(to: UnmeteredLink.self).upstream.cancel() })
  }
}
