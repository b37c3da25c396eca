// A stream beside which another one is listened to: the engine of drop(untilOutputFrom:) and prefix(untilOutputFrom:),
// and, with a subclass, of withLatestFrom.

import WeirQueues

/// What the other stream does to the stream.
@frozen
@usableFromInline
package enum SideStreamPolicy {
  /// Its first value opens it.
  case opens
  /// Its first value closes it.
  case closes
  /// Its newest value is joined with each of the stream's values: see `LatestFromLink`.
  case joins
}

/// What can happen to a stream and the one beside it.
@frozen
@usableFromInline
package enum SideStreamSignal<Value, Failure: Error>: SteplessSignal {
  case value(Value)
  case subscription(Link)
  case completion(Subscribers.Completion<Failure>)
  case otherSubscription(Link)
  /// The other stream has published a value, which opens or closes the stream.
  case trigger
  case otherCompletion(Subscribers.Completion<Failure>)
  case demand(Subscribers.Demand)
  /// To tell the subscriber of the end.
  case conclusion(Subscribers.Completion<Failure>)
  case cancel
}

/// Passes on the values of a stream from the first value of another stream on, or up to it.
///
/// Behind the gate, as both streams end it, each from its own thread. Demand goes straight upstream. As in Combine, the
/// other stream is subscribed to first; it is asked for one value where that opens or closes the stream, and a value
/// that is dropped uses up demand.
@safe
@usableFromInline
package class SideStreamLink<Downstream: Subscriber>:
  SerialLink<Downstream, SideStreamSignal<Downstream.Input, Downstream.Failure>>
{
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline final let cancelled = OneShot()
  @usableFromInline final let policy: SideStreamPolicy

  // SAFETY (exclusivity) of all below: only the holder of the gate touches them, one thread at a time.

  /// Whether values are passed on.
  @safe @exclusivity(unchecked) @usableFromInline final var isOpen: Bool
  /// Whether the subscriber has its subscription.
  @safe @exclusivity(unchecked) @usableFromInline final var isAnnounced: Bool
  @safe @exclusivity(unchecked) @usableFromInline final var hasBegun = false
  @safe @exclusivity(unchecked) @usableFromInline final var upstream: Link?
  @safe @exclusivity(unchecked) @usableFromInline final var other: Link?
  /// Whether the other stream has ended, where it does not open this one.
  @safe @exclusivity(unchecked) @usableFromInline final var hasOtherEnded = false
  /// What was asked for, less what was dropped.
  @safe @exclusivity(unchecked) @usableFromInline final var demanded = Subscribers.Demand.none

  /// Creates a link for a subscriber, which has its subscription already if the other stream opens this one.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - policy: What the other stream does.
  ///   - name: The operator's name.
  ///   - refusesNone: Whether being asked for no value at all is a mistake.
  @inlinable
  init(
    downstream: HeldSubscriber<Downstream>, policy: SideStreamPolicy, name: StaticString, refusesNone: Bool = false
  ) {
    self.policy = policy
    isOpen = policy != .opens
    isAnnounced = policy == .opens
    super.init(
      downstream: downstream, name: name,
      onRequest: refusesNone
        ? { link, demand in
          let link = link.downcast(to: SideStreamLink.self)
          demand.requireSome(link.name)
          link.receive(.demand(demand)) { link.process($0) }
        }
        : { link, demand in
          let link = link.downcast(to: SideStreamLink.self)
          link.receive(.demand(demand)) { link.process($0) }
        },
      onCancel: { link in
        let link = link.downcast(to: SideStreamLink.self)
        if link.cancelled.fire() { link.receive(cancellation: .cancel) { link.process($0) } }
      })
  }

  /// Subscribes to the other stream, and then to the stream.
  ///
  /// - Parameter convert: Makes the end of the stream of an end of the other one.
  @inlinable
  final func attach<Upstream: Publisher, Trigger: Publisher>(
    _ upstream: Upstream, _ trigger: Trigger,
    convert: @escaping (Subscribers.Completion<Trigger.Failure>) -> Subscribers.Completion<Failure>
  ) where Upstream.Output == Downstream.Input, Upstream.Failure == Failure {
    trigger.receive(subscriber: TriggerSubscriber<Trigger, Downstream>(self, convert))
    upstream.receive(subscriber: SideStreamSubscriber(self))
  }

  // MARK: Signals, from any thread

  /// Takes a value from upstream.
  ///
  /// - Returns: What the upstream is asked for next, as far as it is known at once.
  @inlinable @inline(__always)
  final func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    switch enter(unless: { cancelled.hasFired }) {
    case .entered:
      let demand = take(value)
      leave { process($0) }
      return demand
    case .nested:
      if tookBehindOthers(.value(value), { process($0) }) { return .none }
      return take(value)
    case .taken:
      handOver(.value(value)) { process($0) }
      return .none
    }
  }

  // MARK: What the holder of the gate does

  @usableFromInline
  final override func settleAsHelper() { settle({ process($0) }, asHelper: true) }

  @inlinable
  final func process(_ signal: SideStreamSignal<Downstream.Input, Failure>) {
    switch signal {
    case .value(let value):
      let demand = take(value)
      owe(answer: demand, to: upstream, process)
    case .subscription(let subscription): begin(subscription)
    case .completion(let completion):
      guard !isOver else { return }
      withLock { upstream.take() }
      conclude(completion)
    case .otherSubscription(let subscription):
      guard !isOver, !cancelled.hasFired, other == nil, !hasOtherEnded else { return owe(.cancel(subscription)) }
      guard keep(subscription, { other = $0 }) else { return }
      owe(.ask(subscription, policy == .joins ? .unlimited : .max(1), then: .none))
    case .trigger: pull()
    case .otherCompletion(let completion): finishOther(completion)
    case .demand(let demand):
      guard !isOver, !cancelled.hasFired else { return }
      demanded += demand
      ask(demand)
    case .conclusion(let completion): if takeConclusion() { tell(completion) }
    case .cancel: noteCancellation()
    }
  }

  /// Leaves it to do to ask the upstream for values.
  @inlinable
  final func ask(_ demand: Subscribers.Demand) {
    if let upstream { owe(.ask(upstream, demand, then: .none)) }
  }

  @inlinable
  final func begin(_ subscription: Link) {
    guard !isOver, !cancelled.hasFired, !hasBegun else { return owe(.cancel(subscription)) }
    hasBegun = true
    guard keep(subscription, { upstream = $0 }) else { return }
    let waiting = demanded
    if !isAnnounced {
      isAnnounced = true
      withDownstream { $0.receive(subscription: self) }
    }
    if waiting != .none { ask(waiting) }
  }

  @inlinable @inline(__always)
  final func take(_ value: Downstream.Input) -> Subscribers.Demand {
    guard !isOver, !cancelled.hasFired else { return .none }
    guard isOpen else {
      precondition(
        demanded > .none, "API violation: \(name) received a value that it had not asked for\(CheckpointTrail.text)")
      demanded -= 1
      return .none
    }
    return hasBegun ? pass(value) : .none
  }

  /// Takes the value of the other stream that opens or closes this one.
  @inlinable
  final func pull() {
    guard !isOver else { return }
    if policy == .opens {
      isOpen = true
      withLock { other.take() }
    } else if other != nil {
      withLock { other.take() }
      isAnnounced = true
      conclude(.finished)
    }
  }

  /// Whether the other stream has published something to join.
  @usableFromInline
  var hasLatest: Bool { false }

  /// Takes the end of the other stream.
  @inlinable
  final func finishOther(_ completion: Subscribers.Completion<Failure>) {
    guard !isOver, !hasOtherEnded else { return }
    if policy != .opens { hasOtherEnded = true }
    withLock { other.take() }
    switch policy {
    case .opens: if !isOpen { conclude(completion) }
    case .closes: break
    case .joins:
      if case .failure = completion { return conclude(completion) }
      // Nothing can come of the stream any more.
      if !hasLatest { conclude(.finished) }
    }
  }

  /// Ends both streams, and tells the subscriber if it knows of them.
  @inlinable
  final func conclude(_ completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    noteEnd()
    if upstream == nil, other == nil {
      dropWaiting()
      return tell(completion)
    }
    owe(conclusion: { self.receive(.conclusion(completion), .long) { self.process($0) } })
  }

  /// Tells the subscriber of the end. One that has no subscription yet is told nothing, or, where streams are joined,
  /// gets an empty subscription first, as in Combine's operators of either kind.
  @inlinable
  final func tell(_ completion: Subscribers.Completion<Failure>) {
    guard cancelled.fire(), isAnnounced || policy == .joins else { return }
    withDownstream {
      if !isAnnounced { $0.receive(subscription: Subscriptions.empty) }
      $0.receive(completion: completion)
    }
  }

  @usableFromInline
  final override var streams: LinkList { LinkList(upstream, other) }

  @usableFromInline
  final override func takeStreams() -> LinkList {
    defer { (upstream, other) = (nil, nil) }
    return streams
  }
}

/// The subscriber to the stream itself.
@frozen
@usableFromInline
struct SideStreamSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: SideStreamLink<Downstream>

  @inlinable
  init(_ link: SideStreamLink<Downstream>) { self.link = link }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { link.receive(.subscription(.of(subscription))) { link.process($0) } }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    // SAFETY: whoever calls this has the subscriber, and so the link, until it returns.
    unsafe Unmanaged.passUnretained(link)._withUnsafeGuaranteedRef { $0.receive(input) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    link.receive(.completion(completion), .long) { link.process($0) }
  }

  @usableFromInline var description: String { link.description }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
}

/// The subscriber to the stream that opens or closes another one.
@frozen
@usableFromInline
struct TriggerSubscriber<Trigger: Publisher, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Trigger.Output
  @usableFromInline typealias Failure = Trigger.Failure

  @usableFromInline let link: SideStreamLink<Downstream>
  @usableFromInline let convert: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @inlinable
  init(
    _ link: SideStreamLink<Downstream>,
    _ convert: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
  ) {
    self.link = link
    self.convert = convert
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    link.receive(.otherSubscription(.of(subscription))) { link.process($0) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    link.receive(.trigger) { link.process($0) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    // It can't matter any more once the trigger has published.
    let matters = link.policy == .opens && link.withLock { link.other != nil }
    link.receive(.otherCompletion(convert(completion)), matters ? .long : .short) { link.process($0) }
  }

  @usableFromInline var description: String { link.description }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
}
