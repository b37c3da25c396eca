// A stream that another one opens or closes: the engine of drop(untilOutputFrom:) and prefix(untilOutputFrom:).

import WeirQueues

/// What can happen to a stream that another one opens or closes.
@frozen
@usableFromInline
package enum UntilSignal<Value, Failure: Error>: SteplessSignal {
  case value(Value)
  case subscription(Link)
  case completion(Subscribers.Completion<Failure>)
  case triggerSubscription(Link)
  /// The trigger has published a value.
  case trigger
  case triggerCompletion(Subscribers.Completion<Failure>)
  case demand(Subscribers.Demand)
  /// To tell the subscriber of the end.
  case conclusion(Subscribers.Completion<Failure>)
  case cancel
}

/// Passes on the values of a stream from the first value of another stream, the trigger, on, or up to it.
///
/// Behind the gate, as both streams end it, each from its own thread. Demand goes straight upstream. As in Combine, the
/// trigger is subscribed to first and asked for one value, and a value that is dropped uses up demand.
@safe
@usableFromInline
package final class UntilLink<Downstream: Subscriber>:
  SerialLink<Downstream, UntilSignal<Downstream.Input, Downstream.Failure>>
{
  @usableFromInline typealias Value = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let cancelled = OneShot()
  /// Whether the trigger opens the stream; it closes it otherwise.
  @usableFromInline let isOpenedByTrigger: Bool

  // SAFETY (exclusivity) of all below: only the holder of the gate touches them, one thread at a time.

  /// Whether values are passed on.
  @safe @exclusivity(unchecked) @usableFromInline var isOpen: Bool
  /// Whether the subscriber has its subscription.
  @safe @exclusivity(unchecked) @usableFromInline var isAnnounced: Bool
  @safe @exclusivity(unchecked) @usableFromInline var hasBegun = false
  @safe @exclusivity(unchecked) @usableFromInline var upstream: Link?
  @safe @exclusivity(unchecked) @usableFromInline var trigger: Link?
  /// Whether the trigger has ended without a value.
  @safe @exclusivity(unchecked) @usableFromInline var isTriggerSpent = false
  /// What was asked for, less what was dropped.
  @safe @exclusivity(unchecked) @usableFromInline var demanded = Subscribers.Demand.none

  @inlinable
  init(downstream: HeldSubscriber<Downstream>, isOpenedByTrigger: Bool, name: StaticString) {
    self.isOpenedByTrigger = isOpenedByTrigger
    isOpen = !isOpenedByTrigger
    isAnnounced = isOpenedByTrigger
    super.init(
      downstream: downstream, name: name,
      onRequest: { link, demand in
        let link = link.downcast(to: UntilLink.self)
        link.receive(.demand(demand)) { link.process($0) }
      },
      onCancel: { link in
        let link = link.downcast(to: UntilLink.self)
        if link.cancelled.fire() { link.receive(cancellation: .cancel) { link.process($0) } }
      })
  }

  /// Subscribes to the trigger, and then to the stream.
  ///
  /// - Parameter convert: Makes the end of the stream of an end of the trigger.
  @inlinable
  func attach<Upstream: Publisher, Trigger: Publisher>(
    _ upstream: Upstream, _ trigger: Trigger,
    convert: @escaping (Subscribers.Completion<Trigger.Failure>) -> Subscribers.Completion<Failure>
  ) where Upstream.Output == Value, Upstream.Failure == Failure {
    trigger.receive(subscriber: TriggerSubscriber<Trigger, Downstream>(self, convert))
    upstream.receive(subscriber: UntilSubscriber(self))
  }

  // MARK: Signals, from any thread

  /// Takes a value from upstream.
  ///
  /// - Returns: What the upstream is asked for next, as far as it is known at once.
  @inlinable @inline(__always)
  func receive(_ value: Value) -> Subscribers.Demand {
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
  override func settleAsHelper() { settle({ process($0) }, asHelper: true) }

  @inlinable
  func process(_ signal: UntilSignal<Value, Failure>) {
    switch signal {
    case .value(let value):
      let demand = take(value)
      owe(answer: demand, to: upstream, process)
    case .subscription(let subscription): begin(subscription)
    case .completion(let completion):
      guard !isOver else { return }
      withLock { upstream.take() }
      conclude(completion)
    case .triggerSubscription(let subscription):
      guard !isOver, !cancelled.hasFired, trigger == nil, !isTriggerSpent else {
        return owe(.cancel(subscription))
      }
      if keep(subscription, { trigger = $0 }) { owe(.ask(subscription, .max(1), then: .none)) }
    case .trigger: pull()
    case .triggerCompletion(let completion):
      guard !isOver else { return }
      withLock { trigger.take() }
      if !isOpenedByTrigger { isTriggerSpent = true }
      if !isOpen { conclude(completion) }
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
  func ask(_ demand: Subscribers.Demand) {
    if let upstream { owe(.ask(upstream, demand, then: .none)) }
  }

  @inlinable
  func begin(_ subscription: Link) {
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
  func take(_ value: Value) -> Subscribers.Demand {
    guard !isOver, !cancelled.hasFired else { return .none }
    guard isOpen else {
      precondition(demanded > .none, "API violation: \(name) received a value that it had not asked for")
      demanded -= 1
      return .none
    }
    return hasBegun ? pass(value) : .none
  }

  /// Takes the trigger's value.
  @inlinable
  func pull() {
    guard !isOver else { return }
    if isOpenedByTrigger {
      isOpen = true
      withLock { trigger.take() }
    } else if trigger != nil {
      withLock { trigger.take() }
      isAnnounced = true
      conclude(.finished)
    }
  }

  /// Ends both streams, and tells the subscriber if it knows of them.
  @inlinable
  func conclude(_ completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    noteEnd()
    if upstream == nil, trigger == nil { return tell(completion) }
    owe(conclusion: { self.receive(.conclusion(completion), .long) { self.process($0) } })
  }

  @inlinable
  func tell(_ completion: Subscribers.Completion<Failure>) {
    if cancelled.fire(), isAnnounced { withDownstream { $0.receive(completion: completion) } }
  }

  @usableFromInline
  override var streams: LinkList { LinkList(upstream, trigger) }

  @usableFromInline
  override func takeStreams() -> LinkList {
    defer { (upstream, trigger) = (nil, nil) }
    return streams
  }
}

/// The subscriber to the stream itself.
@frozen
@usableFromInline
struct UntilSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: UntilLink<Downstream>

  @inlinable
  init(_ link: UntilLink<Downstream>) { self.link = link }

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

/// The subscriber to the trigger.
@frozen
@usableFromInline
struct TriggerSubscriber<Trigger: Publisher, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Trigger.Output
  @usableFromInline typealias Failure = Trigger.Failure

  @usableFromInline let link: UntilLink<Downstream>
  @usableFromInline let convert: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @inlinable
  init(
    _ link: UntilLink<Downstream>,
    _ convert: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
  ) {
    self.link = link
    self.convert = convert
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    link.receive(.triggerSubscription(.of(subscription))) { link.process($0) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    link.receive(.trigger) { link.process($0) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    // It can't matter any more once the trigger has published.
    let matters = link.isOpenedByTrigger && link.withLock { link.trigger != nil }
    link.receive(.triggerCompletion(convert(completion)), matters ? .long : .short) { link.process($0) }
  }

  @usableFromInline var description: String { link.description }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
}
