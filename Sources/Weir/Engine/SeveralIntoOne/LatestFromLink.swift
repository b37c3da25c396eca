// A stream whose values are joined by the newest of another stream: the engine of withLatestFrom.

import WeirQueues

/// What can happen to such a stream.
@frozen
@usableFromInline
package enum LatestFromSignal<Joined, Failure: Error>: SteplessSignal {
  case value(Joined)
  case subscription(Link)
  case completion(Subscribers.Completion<Failure>)
  case otherSubscription(Link)
  case otherCompletion(Subscribers.Completion<Failure>)
  case demand(Subscribers.Demand)
  /// To tell the subscriber of the end.
  case conclusion(Subscribers.Completion<Failure>)
  case cancel
}

/// Passes each value of a stream on together with the newest of another one.
///
/// Behind the gate, as both streams come from threads of their own. Only the newest value is not: the closure that
/// joins runs before the gate is entered, as it is the user's, on the thread that sends, and the other stream never
/// waits for a delivery. The other stream is subscribed to first and asked for everything; demand goes straight to the
/// stream itself, which is asked for one more for each value that came too early. When the other stream ends without a
/// value, so does this one, as nothing can come of it any more.
@safe
@usableFromInline
package final class LatestFromLink<Value, Other, Downstream: Subscriber>:
  SerialLink<Downstream, LatestFromSignal<Downstream.Input, Downstream.Failure>>
{
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let cancelled = OneShot()
  /// Makes a value of a value and the newest of the other stream.
  @usableFromInline let join: (Value, Other) -> Downstream.Input

  // SAFETY (exclusivity): touched under `lock` only, and neither retaining nor swapping runs user code.

  /// The newest value of the other stream.
  @safe @exclusivity(unchecked) @usableFromInline var latest: Other?

  // SAFETY (exclusivity) of all below: only the holder of the gate touches them, one thread at a time.

  @safe @exclusivity(unchecked) @usableFromInline var hasBegun = false
  @safe @exclusivity(unchecked) @usableFromInline var upstream: Link?
  @safe @exclusivity(unchecked) @usableFromInline var other: Link?
  @safe @exclusivity(unchecked) @usableFromInline var hasOtherEnded = false

  /// Creates a link for a subscriber; `attach` sets it going.
  @inlinable
  package init(
    downstream: HeldSubscriber<Downstream>, name: StaticString, join: @escaping (Value, Other) -> Downstream.Input
  ) {
    self.join = join
    super.init(
      downstream: downstream, name: name,
      onRequest: { link, demand in
        let link = link.downcast(to: LatestFromLink.self)
        demand.requireSome(link.name)
        link.receive(.demand(demand)) { link.process($0) }
      },
      onCancel: { link in
        let link = link.downcast(to: LatestFromLink.self)
        if link.cancelled.fire() { link.receive(cancellation: .cancel) { link.process($0) } }
      })
  }

  /// Subscribes to the other stream, and then to the stream itself.
  @inlinable
  package func attach<Upstream: Publisher, Others: Publisher>(_ upstream: Upstream, _ others: Others)
  where
    Upstream.Output == Value, Upstream.Failure == Failure, Others.Output == Other, Others.Failure == Failure
  {
    others.receive(subscriber: LatestFromOther(self))
    upstream.receive(subscriber: LatestFromSubscriber(self))
  }

  // MARK: Signals, from any thread

  /// Joins a value with the newest of the other stream, and passes the result on.
  @inlinable @inline(__always)
  func receive(_ value: Value) -> Subscribers.Demand {
    guard !cancelled.hasFired else { return .none }
    guard let newest = withLock({ latest }) else { return .max(1) }
    let joined = join(value, newest)
    switch enter(unless: { cancelled.hasFired }) {
    case .entered:
      let demand = deliver(joined)
      leave { process($0) }
      return demand
    case .nested:
      if tookBehindOthers(.value(joined), { process($0) }) { return .none }
      return deliver(joined)
    case .taken:
      handOver(.value(joined)) { process($0) }
      return .none
    }
  }

  /// Stores a value of the other stream. The former one is freed at the end, as its `deinit` may come back here.
  @inlinable
  func replace(_ value: Other) {
    var exchanged: Other? = value
    // What comes after the end would not be dropped again.
    withLock { if !isDetached { swap(&latest, &exchanged) } }
    withExtendedLifetime(exchanged) {}
  }

  /// Whether the other stream has published.
  @inlinable
  func hasLatest() -> Bool {
    withLock { latest != nil }
  }

  // MARK: What the holder of the gate does

  @usableFromInline
  override func settleAsHelper() { settle({ process($0) }, asHelper: true) }

  @inlinable
  func process(_ signal: LatestFromSignal<Downstream.Input, Failure>) {
    switch signal {
    case .value(let joined):
      let demand = deliver(joined)
      owe(answer: demand, to: upstream, process)
    case .subscription(let subscription):
      guard !isOver, !cancelled.hasFired, !hasBegun else { return owe(.cancel(subscription)) }
      hasBegun = true
      guard keep(subscription, { upstream = $0 }) else { return }
      withDownstream { $0.receive(subscription: self) }
    case .completion(let completion):
      guard !isOver else { return }
      withLock { upstream.take() }
      conclude(completion)
    case .otherSubscription(let subscription):
      guard !isOver, !cancelled.hasFired, other == nil, !hasOtherEnded else {
        return owe(.cancel(subscription))
      }
      if keep(subscription, { other = $0 }) { owe(.ask(subscription, .unlimited, then: .none)) }
    case .otherCompletion(let completion):
      guard !isOver, !hasOtherEnded else { return }
      hasOtherEnded = true
      withLock { other.take() }
      if case .failure = completion { return conclude(completion) }
      if !hasLatest() { conclude(.finished) }
    case .demand(let demand): if !isOver, !cancelled.hasFired { ask(demand) }
    case .conclusion(let completion): if takeConclusion() { tell(completion) }
    case .cancel: noteCancellation()
    }
  }

  @inlinable @inline(__always)
  func deliver(_ joined: Downstream.Input) -> Subscribers.Demand {
    guard !isOver, !cancelled.hasFired, hasBegun else { return .none }
    return pass(joined)
  }

  /// Leaves it to do to ask the upstream for values.
  @inlinable
  func ask(_ demand: Subscribers.Demand) {
    if let upstream { owe(.ask(upstream, demand, then: .none)) }
  }

  @inlinable
  func conclude(_ completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    noteEnd()
    if upstream == nil, other == nil {
      dropWaiting()
      return tell(completion)
    }
    owe(conclusion: { self.receive(.conclusion(completion), .long) { self.process($0) } })
  }

  @inlinable
  func tell(_ completion: Subscribers.Completion<Failure>) {
    guard cancelled.fire() else { return }
    withDownstream {
      if !hasBegun { $0.receive(subscription: Subscriptions.empty) }
      $0.receive(completion: completion)
    }
  }

  @usableFromInline
  override var streams: LinkList { LinkList(upstream, other) }

  @usableFromInline
  override func takeStreams() -> LinkList {
    defer { (upstream, other) = (nil, nil) }
    return streams
  }

  @usableFromInline
  override func dropWaiting() {
    let latest = withLock { self.latest.take() }
    withExtendedLifetime(latest) {}
  }
}

/// The subscriber to the stream itself.
@frozen
@usableFromInline
struct LatestFromSubscriber<Value, Other, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: LatestFromLink<Value, Other, Downstream>

  @inlinable
  init(_ link: LatestFromLink<Value, Other, Downstream>) { self.link = link }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { link.receive(.subscription(.of(subscription))) { link.process($0) } }

  @inlinable @inline(__always)
  func receive(_ input: Value) -> Subscribers.Demand {
    // SAFETY: whoever calls this has the subscriber, and so the link, until it returns.
    unsafe Unmanaged.passUnretained(link)._withUnsafeGuaranteedRef { $0.receive(input) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    link.receive(.completion(completion), .long) { link.process($0) }
  }

  @usableFromInline var description: String { link.description }
}

/// The subscriber to the other stream.
@frozen
@usableFromInline
struct LatestFromOther<Value, Other, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Other
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: LatestFromLink<Value, Other, Downstream>

  @inlinable
  init(_ link: LatestFromLink<Value, Other, Downstream>) { self.link = link }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    link.receive(.otherSubscription(.of(subscription))) { link.process($0) }
  }

  @inlinable
  func receive(_ input: Other) -> Subscribers.Demand {
    link.replace(input)
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure = completion {
      link.receive(.otherCompletion(completion), .long) { link.process($0) }
    } else {
      link.receive(.otherCompletion(completion)) { link.process($0) }
    }
  }

  @usableFromInline var description: String { link.description }
}
