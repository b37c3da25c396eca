// Takes any demand for unlimited demand.

/// Passes everything on, with a subscription that asks for everything as soon as it is asked for anything.
@frozen
@usableFromInline
struct UnmeteredSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ downstream: Downstream) { self.downstream = downstream }

  @usableFromInline var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

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
final class UnmeteredLink: Link {
  @usableFromInline let upstream: Link

  @inlinable
  init(_ upstream: any Subscription) {
    self.upstream = Link.of(upstream)
    super.init(
      // SAFETY: the link passed in is the one that holds these closures.
      onRequest: { link, _ in unsafe unsafeDowncast(link, to: UnmeteredLink.self).upstream.request(.unlimited) },
      onCancel: { link in unsafe unsafeDowncast(link, to: UnmeteredLink.self).upstream.cancel() })
  }

  @usableFromInline
  override var isForeign: Bool { upstream.isForeign }

  @usableFromInline
  override func note(_ cutoff: borrowing CutoffSlot) { upstream.note(cutoff) }

  @usableFromInline
  override var description: String { upstream.description }

  @usableFromInline
  override var customMirror: Mirror { upstream.customMirror }
}
