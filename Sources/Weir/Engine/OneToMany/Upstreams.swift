// The upstream subscriptions of a subject.

import WeirQueues

/// A subject that passes values on and keeps none: what feeds it may keep its engine alive in its place.
@usableFromInline
package protocol PassingSubject: AnyObject {
  /// Its `SubjectCore`.
  var passingCore: AnyObject { get }
}

/// Subscriptions that are asked for everything once somebody downstream has asked for anything.
@usableFromInline
package struct Upstreams: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): words and a lock, which are any thread's.

  @usableFromInline
  struct State {
    var subscriptions: [any Subscription] = []
    var isOpen: Bool
    /// How many there may be before those that are over are let go of.
    var mostBeforeSweep: Int32 = 8

    init(isOpen: Bool) { self.isOpen = isOpen }

    /// Takes out those that are over, once there may be as many of them as of others.
    mutating func sweep() -> [any Subscription] {
      guard subscriptions.count >= Int(mostBeforeSweep) else { return [] }
      var over: [any Subscription] = []
      subscriptions.removeAll { subscription in
        let isOver = (subscription as? UpstreamLink)?.isOver == true
        if isOver { over.append(subscription) }
        return isOver
      }
      mostBeforeSweep = Int32(clamping: max(8, 2 * subscriptions.count))
      return over
    }
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
  ///
  /// - Complexity: O(1) amortised.
  package func add(_ subscription: any Subscription) {
    let (isOpen, over) = state.withLock { state in
      let over = state.sweep()
      state.subscriptions.append(subscription)
      return (state.isOpen, over)
    }
    // Freed outside the lock.
    withExtendedLifetime(over) {}
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
