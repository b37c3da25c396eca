// Subscriptions that stand for another one and differ from it in one way.
// No test mirror: the operators that make them are tested.

import WeirQueues

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
  package final override var description: String { upstream.description }

  @usableFromInline
  package final override var customMirror: Mirror { upstream.customMirror }
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

/// A subscription that tells of its cancellation, once.
@usableFromInline
final class CountedLink: WrapperLink {
  private let release: () -> Void
  private let cancelled = OneShot()

  @usableFromInline
  init(_ subscription: any Subscription, release: @escaping () -> Void) {
    self.release = release
    super.init(
      subscription,
      onRequest: { link, demand in link.downcast(to: CountedLink.self).upstream.request(demand) },
      onCancel: { link in link.downcast(to: CountedLink.self).disconnect() })
  }

  private func disconnect() {
    guard cancelled.fire() else { return }
    release()
    upstream.cancel()
  }
}
