// The upstream subscriptions of a subject.

import WeirQueues

/// Subscriptions that are asked for everything once somebody downstream has asked for anything.
@usableFromInline
package struct Upstreams: ~Copyable {
  @usableFromInline
  struct State {
    var subscriptions: [any Subscription] = []
    var isOpen = false
  }

  @usableFromInline let state = Lock(State())
  /// 1 once open: saves the lock on every further request.
  @usableFromInline let opened = AtomicWord(0)

  package init() {}

  /// Adds a subscription, and asks it for everything if there has been demand.
  package func add(_ subscription: any Subscription) {
    let isOpen = state.withLock { state in
      state.subscriptions.append(subscription)
      return state.isOpen
    }
    if isOpen { subscription.request(.unlimited) }
  }

  /// Notes the first demand and asks every subscription for everything.
  @inlinable
  package func open() {
    if opened.relaxedLoad() == 0 { openFirst() }
  }

  @usableFromInline
  func openFirst() {
    let waiting = state.withLock { state -> [any Subscription] in
      guard !state.isOpen else { return [] }
      state.isOpen = true
      return state.subscriptions
    }
    opened.publish(1)
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels every subscription.
  package func cancel() {
    let subscriptions = state.withLock { state -> [any Subscription] in
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for subscription in subscriptions { subscription.cancel() }
  }
}
