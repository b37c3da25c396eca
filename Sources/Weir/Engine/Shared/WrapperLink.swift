// A subscription that stands for another one and differs from it in one way.
// No test file: the operators that make them are tested.

/// A subscription that stands for an upstream's.
@usableFromInline
package class WrapperLink: Link {
  @usableFromInline let upstream: Link

  @usableFromInline
  init(
    _ subscription: any Subscription, onRequest: @escaping (Link, Subscribers.Demand) -> Void,
    onCancel: @escaping (Link) -> Void
  ) {
    upstream = Link.of(subscription)
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  @usableFromInline
  package override var combineIdentifier: CombineIdentifier { upstream.original.combineIdentifier }

  @usableFromInline
  package final override var isForeign: Bool { upstream.isForeign }

  @usableFromInline
  package final override var notesDemand: Bool { upstream.notesDemand }

  @usableFromInline
  package final override var description: String { upstream.description }

  @usableFromInline
  package final override var customMirror: Mirror { upstream.customMirror }
}
