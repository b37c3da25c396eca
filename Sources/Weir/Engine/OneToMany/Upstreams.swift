// The upstream subscriptions of a subject.

import WeirQueues

/// Subscriptions that are asked for everything once somebody downstream has asked for anything.
@usableFromInline
package struct Upstreams: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): words and a lock, which are any thread's.

  @usableFromInline
  struct State {
    var subscriptions: [any Subscription] = []
    var isOpen: Bool
  }

  @usableFromInline let state: Lock<State>
  /// 1 once open: saves the lock on every further request.
  @usableFromInline let opened: AtomicWord
  /// 1 once there has been a subscription.
  @usableFromInline let used = AtomicWord(0)

  /// Creates an empty list.
  ///
  /// - Parameter isOpen: Whether subscriptions are asked for everything from the start.
  @usableFromInline
  package init(isOpen: Bool) {
    state = Lock(State(isOpen: isOpen))
    opened = AtomicWord(isOpen ? 1 : 0)
  }

  /// Adds a subscription, and asks it for everything if there has been demand.
  package func add(_ subscription: any Subscription) {
    let isOpen = state.withLock { state in
      state.subscriptions.append(subscription)
      return state.isOpen
    }
    used.relaxedStore(1)
    if isOpen { subscription.request(.unlimited) }
  }

  /// Whether there has been a subscription, at some time before now.
  @inlinable
  package var isUsed: Bool { used.relaxedLoad() != 0 }

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
    opened.relaxedStore(1)
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels every subscription.
  @usableFromInline
  package func cancel() {
    let subscriptions = state.withLock { state -> [any Subscription] in
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for subscription in subscriptions { subscription.cancel() }
  }
}
