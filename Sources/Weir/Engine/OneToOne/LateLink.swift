// A subscription that a subscriber gets before there is one upstream.

import WeirQueues

/// A subscription that its subscriber gets before the upstream's arrives, and that keeps what is asked for until then.
@usableFromInline
package final class LateLink: Link {
  @usableFromInline
  struct State {
    @usableFromInline var upstream: (any Subscription)?
    @usableFromInline var pending = Subscribers.Demand.none
    @usableFromInline var isCancelled = false
  }

  @usableFromInline let name: StaticString
  @usableFromInline let state = Lock(State())

  /// Creates a link.
  ///
  /// - Parameter name: The operator's name.
  @usableFromInline
  package init(name: StaticString) {
    self.name = name
    super.init(
      onRequest: { link, demand in link.downcast(to: LateLink.self).ask(for: demand) },
      onCancel: { link in link.downcast(to: LateLink.self).disconnect() })
  }

  /// Takes the upstream's subscription, unless there is one or the stream was cancelled, and asks it for what is
  /// pending.
  ///
  /// - Parameters:
  ///   - subscription: The subscription; cancelled if not taken.
  ///   - demand: What to ask for besides.
  @usableFromInline
  package func connect(_ subscription: any Subscription, asking demand: Subscribers.Demand) {
    let pending = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isCancelled else { return nil }
      state.upstream = subscription
      defer { state.pending = .none }
      return state.pending
    }
    guard let pending else { return subscription.cancel() }
    if pending + demand != .none { subscription.request(pending + demand) }
  }

  func ask(for demand: Subscribers.Demand) {
    demand.requireSome(name)
    let upstream = state.withLock { state in
      if state.upstream == nil, !state.isCancelled { state.pending += demand }
      return state.upstream
    }
    upstream?.request(demand)
  }

  func disconnect() {
    let upstream = state.withLock { state in
      state.isCancelled = true
      return state.upstream.take()
    }
    upstream?.cancel()
  }

  /// Lets go of the upstream's subscription.
  @usableFromInline
  package func complete() {
    let upstream = state.withLock { $0.upstream.take() }
    withExtendedLifetime(upstream) {}
  }

  @usableFromInline
  package override var description: String { "\(name)" }
}
