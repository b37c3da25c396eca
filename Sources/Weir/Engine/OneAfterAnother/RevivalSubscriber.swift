// The subscriber to a failed stream that is subscribed to again later: the engine of retry(when:) and retryWithBackoff.

import WeirQueues

/// Decides what follows a failure. There is one object per subscription; the upstream calls it serially.
@usableFromInline
package protocol RevivalPolicy<Failure>: AnyObject {
  /// The upstream's kind of error.
  associatedtype Failure: Error

  /// The operator's name, as Combine would show it.
  static var name: String { get }

  /// A value has come.
  func noteValue()

  /// Decides about a failure, now or later, on any thread.
  func follow(_ failure: Failure, _ revival: Revival<Failure>)
}

/// What is kept for a stream: it cancels what it stands for when it is freed, as an `AnyCancellable` does.
@usableFromInline
package typealias Holding = any Cancellable & AnyObject

/// What can be done after one failure. Once the stream is over it does nothing. Once the stream goes on, nothing is
/// resumed or kept while it waits, also when the next failure waits; a policy must not conclude it then.
@frozen
@usableFromInline
package struct Revival<Failure: Error> {
  /// Subscribes to the upstream again.
  @usableFromInline package let resume: () -> Void
  /// Ends the stream.
  @usableFromInline package let conclude: (Subscribers.Completion<Failure>) -> Void
  /// Keeps something until the stream goes on, or is over.
  @usableFromInline package let holdWhileWaiting: (Holding) -> Void
  /// Keeps something until the stream is over.
  @usableFromInline package let holdToTheEnd: (Holding) -> Void

  @inlinable
  init(
    resume: @escaping () -> Void, conclude: @escaping (Subscribers.Completion<Failure>) -> Void,
    holdWhileWaiting: @escaping (Holding) -> Void, holdToTheEnd: @escaping (Holding) -> Void
  ) {
    self.resume = resume
    self.conclude = conclude
    self.holdWhileWaiting = holdWhileWaiting
    self.holdToTheEnd = holdToTheEnd
  }
}

/// What such a stream holds until it is over.
@frozen
@usableFromInline
package struct RevivalState<Upstream: Publisher> {
  @usableFromInline let upstream: Upstream
  /// How many failures there have been.
  @usableFromInline var failures = 0
  /// Whether the last failure waits for what follows it.
  @usableFromInline var isWaiting = false
  /// What that waits for.
  @usableFromInline var wait: Holding?
  /// What is kept to the end.
  @usableFromInline var keeper: Holding?
  /// Whether somebody is subscribing, and will do so once more if need be.
  @usableFromInline var isSubscribing = true
  /// Whether the upstream is to be subscribed to once more.
  @usableFromInline var isDue = false

  @inlinable
  init(upstream: Upstream) { self.upstream = upstream }
}

extension SuccessionLink {
  /// Takes a failure.
  ///
  /// - Returns: Its number; `nil` if it was not expected.
  @inlinable
  func beginWaiting<Upstream>() -> Int? where Kept == RevivalState<Upstream> {
    let (number, former) = state.withLock { state -> (Int?, Link?) in
      guard let kept = state.kept, move(from: .active, to: .between) else { return (nil, nil) }
      state.kept?.isWaiting = true
      state.kept?.failures = kept.failures &+ 1
      return (kept.failures &+ 1, state.upstream.take())
    }
    withExtendedLifetime(former) {}
    return number
  }

  /// Ends the wait of a failure.
  ///
  /// - Returns: The upstream, if the caller is to subscribe to it.
  @inlinable
  func endWaiting<Upstream>(of number: Int) -> Upstream? where Kept == RevivalState<Upstream> {
    let (upstream, former) = state.withLock { state -> (Upstream?, Holding?) in
      guard let kept = state.kept, kept.isWaiting, kept.failures == number else { return (nil, nil) }
      state.kept?.isWaiting = false
      state.kept?.isDue = kept.isSubscribing
      state.kept?.isSubscribing = true
      return (kept.isSubscribing ? nil : kept.upstream, state.kept?.wait.take())
    }
    withExtendedLifetime(former) {}
    return upstream
  }

  /// Takes note that a subscription was made.
  ///
  /// - Returns: The upstream, if it is to be subscribed to once more.
  @inlinable
  func endSubscribing<Upstream>() -> Upstream? where Kept == RevivalState<Upstream> {
    state.withLock { state in
      guard let kept = state.kept else { return nil }
      state.kept?.isDue = false
      state.kept?.isSubscribing = kept.isDue
      return kept.isDue ? kept.upstream : nil
    }
  }

  /// Keeps something: while a failure waits, or to the stream's end. What comes too late is dropped, also if another
  /// failure waits by then; and so is what was kept in its place.
  @inlinable
  func hold<Upstream>(
    _ token: Holding, in place: WritableKeyPath<Kept, Holding?>, whileWaits number: Int?
  ) where Kept == RevivalState<Upstream> {
    let dropped = state.withLock { state -> Holding? in
      guard let kept = state.kept else { return token }
      if let number, !kept.isWaiting || kept.failures != number { return token }
      let former = kept[keyPath: place]
      state.kept?[keyPath: place] = token
      return former
    }
    dropped?.cancel()
  }
}

/// Passes values on, and lets a policy decide what follows a failure.
///
/// However many failures follow each other at once, the stack does not grow: a resumption that comes while somebody is
/// subscribing, on whichever thread, is left to that one.
@frozen
@usableFromInline
package struct RevivalSubscriber<Upstream: Publisher, Downstream: Subscriber, Policy: RevivalPolicy>: Subscriber,
  CustomStringConvertible
where
  Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure, Policy.Failure == Upstream.Failure
{
  @usableFromInline package typealias Input = Upstream.Output
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline let link: SuccessionLink<RevivalState<Upstream>, Never>
  @usableFromInline let downstream: Downstream
  @usableFromInline let policy: Policy

  @inlinable
  init(_ upstream: Upstream, _ policy: Policy, _ downstream: Downstream) {
    link = SuccessionLink(name: Policy.name, refusesNone: true, kept: RevivalState(upstream: upstream))
    self.downstream = downstream
    self.policy = policy
  }

  /// Subscribes to the upstream for a subscriber.
  @inlinable
  package static func attach(_ upstream: Upstream, _ policy: Policy, to downstream: Downstream) {
    RevivalSubscriber(upstream, policy, downstream).subscribe(to: upstream)
  }

  @inlinable
  func subscribe(to upstream: Upstream) {
    var next: Upstream? = upstream
    while let upstream = next {
      upstream.receive(subscriber: self)
      next = link.endSubscribing()
    }
  }

  @inlinable
  package var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard let (isFirst, carried) = link.reconnect(subscription) else { return subscription.cancel() }
    if isFirst { downstream.receive(subscription: link) }
    if carried != .none { subscription.request(carried) }
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    guard link.take() else { return .none }
    policy.noteValue()
    let more = downstream.receive(input)
    if more != .none { link.demand(more) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: if link.complete(at: .active) { downstream.receive(completion: completion) }
    case .failure(let failure):
      if let number = link.beginWaiting() { policy.follow(failure, revival(after: number)) }
    }
  }

  @inlinable
  func revival(after number: Int) -> Revival<Failure> {
    Revival(
      resume: { if let upstream = link.endWaiting(of: number) { subscribe(to: upstream) } },
      conclude: { if link.complete(at: .between) { downstream.receive(completion: $0) } },
      holdWhileWaiting: { link.hold($0, in: \.wait, whileWaits: number) },
      holdToTheEnd: { link.hold($0, in: \.keeper, whileWaits: nil) })
  }

  @usableFromInline package var description: String { link.description }
}
