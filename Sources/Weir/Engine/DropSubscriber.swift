// The subscriber behind `dropFirst`: it gives the downstream its subscription before it has one itself.

import WeirQueues

/// Drops a number of values, for which it asks on its own account.
///
/// As in Combine the downstream gets its subscription first, what it asks for before the upstream's arrives is added to
/// that request, everything is passed on blindly, and after a completion a further subscription is accepted.
@safe
@usableFromInline
package final class DropSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline package let link: LateLink

  /// How many values are still to be dropped.
  ///
  /// SAFETY (exclusivity): the upstream calls serially.
  @safe @exclusivity(unchecked) @usableFromInline var count: Int

  @inlinable
  package init(_ count: Int, to downstream: Downstream) {
    self.count = count
    self.downstream = downstream
    link = LateLink(name: "Drop")
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    precondition(count >= 0, "the number of values to drop must not be negative")
    link.connect(subscription, asking: .max(count))
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    if count > 0 {
      count -= 1
      return .none
    }
    return downstream.receive(input)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    link.complete()
    downstream.receive(completion: completion)
  }

  @usableFromInline package var description: String { "Drop" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(of: self) }
}

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

  /// Takes the upstream's subscription, unless there is one or the stream was cancelled, and asks it for what is pending.
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
