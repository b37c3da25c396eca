// The subscriber to a stream that is subscribed to again when it fails: the engine of retry.

import WeirQueues

/// What a retry holds: its upstream, and how often that may still be subscribed to.
@frozen
@usableFromInline
package struct RetryState<Upstream: Publisher> {
  @usableFromInline let upstream: Upstream
  /// How many attempts are left; no limit if `nil`.
  @usableFromInline var attempts: Int?
  /// Whether somebody is subscribing, and will do so once more if need be.
  @usableFromInline var isSubscribing = false
  /// Whether the upstream has failed while somebody was subscribing.
  @usableFromInline var isDue = false

  @inlinable
  init(upstream: Upstream, attempts: Int?) {
    self.upstream = upstream
    self.attempts = attempts
  }
}

/// What to do after a failure.
@frozen
@usableFromInline
enum AfterFailure<Upstream> {
  /// Subscribe to the upstream.
  case subscribe(Upstream)
  /// Nothing: somebody is subscribing and will do it, or the stream is over.
  case leave
  /// Pass it on: there is no attempt left.
  case end
}

extension SuccessionLink {
  /// Takes a failure, and an attempt, if there is one left.
  @inlinable
  func beginRetry<Upstream>() -> AfterFailure<Upstream> where Kept == RetryState<Upstream> {
    let (decision, former) = state.withLock { state -> (AfterFailure<Upstream>, State) in
      guard var kept = state.kept else { return (.leave, State()) }
      if kept.attempts == 0 {
        lifeWord.relaxedStore(SuccessionLife.over.rawValue)
        return (.end, emptied(&state))
      }
      kept.attempts = kept.attempts.map { $0 - 1 }
      kept.isDue = kept.isSubscribing
      let isLeft = kept.isSubscribing
      kept.isSubscribing = true
      _ = move(from: .active, to: .between)
      let former = emptied(&state)
      state.kept = kept
      return (isLeft ? .leave : .subscribe(kept.upstream), former)
    }
    if case .end = decision { _ = ledger.cancel() }
    withExtendedLifetime(former) {}
    return decision
  }

  /// Takes note that a subscription was made.
  ///
  /// - Returns: Whether the upstream has failed meanwhile and is to be subscribed to again.
  @inlinable
  func mustRetry<Upstream>() -> Bool where Kept == RetryState<Upstream> {
    state.withLock { state in
      guard let isDue = state.kept?.isDue else { return false }
      state.kept?.isDue = false
      state.kept?.isSubscribing = isDue
      return isDue
    }
  }
}

/// Passes values on, and subscribes to the upstream again when that fails.
///
/// However many failures follow each other at once, the stack does not grow: a failure that comes while somebody is
/// subscribing, on whichever thread, is left to that one, which then subscribes once more.
@frozen
@usableFromInline
struct RetrySubscriber<Upstream: Publisher, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  @usableFromInline typealias Input = Upstream.Output
  @usableFromInline typealias Failure = Upstream.Failure

  @usableFromInline let link: SuccessionLink<RetryState<Upstream>, Never>
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ upstream: Upstream, attempts: Int?, _ downstream: Downstream) {
    link = SuccessionLink(
      name: "Retry", refusesNone: false, kept: RetryState(upstream: upstream, attempts: attempts))
    self.downstream = downstream
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    guard let (isFirst, carried) = link.reconnect(subscription) else { return subscription.cancel() }
    if isFirst { downstream.receive(subscription: link) }
    if carried != .none { subscription.request(carried) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard link.ledger.take() else {
      refuse()
      return .none
    }
    let more = downstream.receive(input)
    if more != .none { link.demand(more) }
    return .none
  }

  @inlinable @inline(never)
  func refuse() {
    precondition(
      link.ledger.isCancelled, "API violation: Retry received a value that it had not asked for\(CheckpointTrail.text)")
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard case .failure = completion else {
      if link.complete(at: nil) { downstream.receive(completion: completion) }
      return
    }
    switch link.beginRetry() {
    case .subscribe(let upstream): repeat { upstream.receive(subscriber: self) } while link.mustRetry()
    case .leave: break
    case .end: downstream.receive(completion: completion)
    }
  }

  @usableFromInline var description: String { link.description }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
}
