// Many inner streams into one downstream: a gate, lanes and a ledger. The engine of flatMap, merge and switchToLatest.

import WeirQueues

/// A value that came without demand.
@frozen
@usableFromInline
struct WaitingValue<Value> {
  @usableFromInline let value: Value
  @usableFromInline let lane: LaneID

  @inlinable
  init(value: Value, lane: LaneID) {
    self.value = value
    self.lane = lane
  }
}

/// What can happen to a flattening link.
@frozen
@usableFromInline
package enum FlattenSignal<Value, Failure: Error>: SerialSignal {
  case value(Value, LaneID)
  case end(Subscribers.Completion<Failure>, LaneID)
  case outerSubscription(Link)
  case inner(() -> Void)
  case outerEnd(Subscribers.Completion<Failure>)
  case demand(Subscribers.Demand)
  case cancel
  case goOn(NextStep)
  /// A value of a stream that only counts.
  case passed(Value)
  /// The end of such a stream.
  case passedEnd(Subscribers.Completion<Failure>)
}

/// Delivers the values of any number of inner streams to one subscriber, one at a time, as it asks for them.
///
/// Every signal, from whatever lane and thread, goes through the gate; what is behind it belongs to the gate's holder.
/// A value that finds demand is delivered at once, one that finds none waits in `buffer`; under `latest`, where no
/// stream is asked for more than there is demand, such a value is its publisher's mistake and traps, as in Combine. The
/// policy says what inner streams are asked for (Reactor's `FluxFlatMap` and `FluxMerge` share one engine so). What is
/// asked of a lane or of the outer stream, and the subscription to an inner stream, is an errand outside the gate. A
/// lane is a slot in a list. Its number is used again after its end, with another generation, so that a late signal of
/// the former stream is told apart and dropped.
@safe
@usableFromInline
package final class FlattenLink<Downstream: Subscriber>:
  SerialLink<Downstream, FlattenSignal<Downstream.Input, Downstream.Failure>>
{
  @usableFromInline typealias Value = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let ledger = DemandLedger()
  /// How many inner streams may be open at once.
  @usableFromInline let maxPublishers: Subscribers.Demand
  /// Whether a new lane ends the former, and is asked for what the subscriber asks for.
  @usableFromInline let switches: Bool
  /// Whether it is a mistake to ask for no value.
  @usableFromInline let refusesNone: Bool
  /// Whether the failure of an inner stream cancels the outer one.
  @usableFromInline let cancelsOuter: Bool

  // SAFETY (exclusivity) of all below: only the holder of the gate touches them, one thread at a time. No user code
  // runs while one of them is being changed: subscriptions and values are moved out before they are called.

  /// Whether an inner stream is being made, to be opened then (`ExhaustSubscriber`). Here, as it takes no room.
  @safe @exclusivity(unchecked) @usableFromInline var isMaking = false
  @safe @exclusivity(unchecked) @usableFromInline var lanes: ContiguousArray<Lane> = []
  /// The first of the free lanes; -1 if there is none.
  @safe @exclusivity(unchecked) @usableFromInline var firstFree = -1
  @safe @exclusivity(unchecked) @usableFromInline var open = 0
  @safe @exclusivity(unchecked) @usableFromInline var buffer = RingBuffer<WaitingValue<Value>>()
  @safe @exclusivity(unchecked) @usableFromInline var outer: Link?
  @safe @exclusivity(unchecked) @usableFromInline var outerHasEnded = false
  /// Whether a value is being delivered: what a request from within it sets free is left to that delivery.
  @safe @exclusivity(unchecked) @usableFromInline var isEmitting = false
  /// Whether the lanes have been asked for everything, as far as that is wanted: no value needs to wait then, now or
  /// later, while there is no limit. True from the start where lanes are asked for no more than the subscriber has
  /// asked for.
  @safe @exclusivity(unchecked) @usableFromInline var asksForAll: Bool
  /// Whether a known stream is passed on without further questions: there is no limit to the streams, they are asked
  /// for everything, none replaces another, and more may come.
  @safe @exclusivity(unchecked) @usableFromInline var passesOn = false
  /// Whether the inner streams are of a known kind.
  @usableFromInline let isKnown: Bool
  // SAFETY (exclusivity): under `lock` only.
  /// Whether the subscriber has cancelled after the end.
  @safe @exclusivity(unchecked) @usableFromInline var isRefused = false

  /// Creates the subscription.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - policy: What tells it apart.
  ///   - name: The operator's name.
  ///   - isKnown: Whether the inner streams' type is a `KnownStream`: asking for that once per value would be too slow.
  @inlinable
  init(downstream: HeldSubscriber<Downstream>, policy: FlattenPolicy, name: StaticString, isKnown: Bool = false) {
    self.isKnown = isKnown
    switch policy {
    case .fair(let limit, let cancels):
      (maxPublishers, switches, refusesNone, cancelsOuter) = (limit, false, true, cancels)
    case .all: (maxPublishers, switches, refusesNone, cancelsOuter) = (.unlimited, false, false, true)
    case .latest: (maxPublishers, switches, refusesNone, cancelsOuter) = (.unlimited, true, true, true)
    }
    asksForAll = switches
    super.init(
      downstream: downstream, name: name,
      onRequest: { link, demand in link.downcast(to: FlattenLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: FlattenLink.self).end() })
  }

  // MARK: Signals, from any thread

  /// Takes a value of a lane.
  ///
  /// - Returns: The lane's next demand, as far as it is known at once.
  @inlinable @inline(__always)
  func receive(_ value: Value, from lane: LaneID) -> Subscribers.Demand {
    guard enterOwned() else { return receiveShared(value, from: lane) }
    let demand = deliver(value, from: lane)
    if !isDue, leaveOwned() { return demand }
    settleAll()
    return demand
  }

  @inlinable @inline(never)
  func settleAll() { settle { process($0) } }

  @inlinable @inline(never)
  func receiveShared(_ value: Value, from lane: LaneID) -> Subscribers.Demand {
    guard enterFree() == .entered else { return receiveTaken(value, from: lane) }
    let demand = deliver(value, from: lane)
    leave { process($0) }
    return demand
  }

  @inlinable @inline(never)
  func receiveTaken(_ value: Value, from lane: LaneID) -> Subscribers.Demand {
    switch enterShared(.long, { ledger.hasNone }) {
    case .entered:
      let demand = deliver(value, from: lane)
      leave { process($0) }
      return demand
    case .nested:
      if tookBehindOthers(.value(value, lane), { process($0) }) { return .none }
      let demand = deliver(value, from: lane)
      leaveNested { process($0) }
      return demand
    case .taken:
      handOver(.value(value, lane)) { process($0) }
      return .none
    }
  }

  /// Takes a lane's subscription.
  @inlinable
  func receive(_ subscription: Link, for lane: LaneID) {
    switch enterOwned() ? .entered : enterShared(.short, { false }) {
    case .entered:
      let demand = begin(subscription, lane)
      leave { process($0) }
      if demand != .none { subscription.request(demand) }
    case .nested where !gate.hasHandedOver:
      let demand = begin(subscription, lane)
      leaveNested { process($0) }
      if demand != .none { subscription.request(demand) }
    case .nested, .taken: receiveEarly(subscription) { lane }
    }
  }

  /// Takes the end of a lane's stream.
  @inlinable
  func receive(_ completion: Subscribers.Completion<Failure>, from lane: LaneID) {
    receive(.end(completion, lane), patience(completion)) { process($0) }
  }

  /// A failure is delivered at once; a finish only if it is the last.
  @inlinable
  func patience(_ completion: Subscribers.Completion<Failure>) -> Patience {
    if case .failure = completion { return .long }
    return .short
  }

  @inlinable
  func receive(_ signal: FlattenSignal<Value, Failure>, _ patience: Patience = .short) {
    receive(signal, patience) { process($0) }
  }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    if refusesNone { demand.requireSome(name) }
    if demand != .none, !ledger.isCancelled { receive(.demand(demand)) }
  }

  @inlinable
  func end() {
    if ledger.cancel() == DemandLedger.cancelled {
      withLock { isRefused = true }
    } else {
      receive(cancellation: .cancel) { process($0) }
    }
  }

  // MARK: What the holder of the gate does

  @usableFromInline
  override func settleAsHelper() { settle({ process($0) }, asHelper: true) }

  @inlinable
  func process(_ signal: FlattenSignal<Value, Failure>) {
    switch signal {
    case .value(let value, let lane):
      let demand = deliver(value, from: lane)
      owe(answer: demand, to: isCurrent(lane) ? lanes[lane.slot].subscription : nil, process)
    case .end(let completion, let lane): finish(completion, lane)
    case .outerSubscription(let subscription):
      guard !isOver, outer == nil, !outerHasEnded else { return owe(.cancel(subscription)) }
      if keep(subscription, { outer = $0 }) { owe(.ask(subscription, maxPublishers, then: .none)) }
    case .inner(let open): open()
    case .outerEnd(let completion):
      guard !outerHasEnded else { return }
      endOuter()
      withLock { outer.take() }
      if case .failure = completion { conclude(completion) } else { concludeIfDone() }
    case .demand(let demand):
      ledger.add(demand)
      serve(demand)
    case .cancel:
      noteCancellation()
      endOuter()
    case .goOn(.serve(let demand, let answered)): serve(demand, answering: answered)
    case .goOn(.askForAll(let slot)): askForAll(from: slot)
    case .goOn(let step): step.refuse()
    case .passed(let value): if ledger.isUnlimited { _ = pass(value) }
    case .passedEnd(let completion): closeCounted(completion)
    }
  }

  @inlinable @inline(__always)
  func deliver(_ value: Value, from lane: LaneID) -> Subscribers.Demand {
    guard asksForAll, isWelcome(lane) else { return deliverCounted(value, from: lane) }
    let more = pass(value)
    return more == .none || !switches ? .none : answer(more, lane)
  }

  @inlinable @inline(never)
  func deliverCounted(_ value: Value, from lane: LaneID) -> Subscribers.Demand {
    guard !isOver, isCurrent(lane) else { return .none }
    guard buffer.isEmpty, ledger.take() else {
      let isWelcome = !switches || ledger.isCancelled
      precondition(
        isWelcome, "API violation: \(name) received a value that it had not asked for\(CheckpointTrail.text)")
      buffer.append(WaitingValue(value: value, lane: lane))
      return .none
    }
    let more = emit(value)
    if more != .none || !buffer.isEmpty { serve(more, answering: lane) }
    return switches ? more : asksForAll ? .none : .max(1)
  }

  /// Serves what was returned for a lane's value.
  ///
  /// - Returns: The demand to return to the lane.
  @inlinable @inline(never)
  func answer(_ more: Subscribers.Demand, _ lane: LaneID) -> Subscribers.Demand {
    serve(more, answering: lane)
    return more
  }

  @inlinable @inline(__always)
  func emit(_ value: Value) -> Subscribers.Demand {
    let wasEmitting = isEmitting
    isEmitting = true
    let more = pass(value)
    isEmitting = wasEmitting
    if more != .none { ledger.add(more) }
    return more
  }

  /// Does what new demand makes possible: delivers what waits, and then asks the lanes.
  ///
  /// - Parameters:
  ///   - demand: What was added to the ledger.
  ///   - answered: A lane that gets the demand by way of an answer, if it is still open.
  @inlinable
  func serve(_ demand: Subscribers.Demand, answering answered: LaneID? = nil) {
    if !isEmitting, !drain(then: .serve(demand, answered)) { return }
    if switches {
      guard demand != .none, !isOver else { return }
      let exception = answered.flatMap { isCurrent($0) ? $0.slot : nil }
      // No more than one is open.
      guard let slot = lanes.firstIndex(where: { $0.subscription != nil }), slot != exception else { return }
      request(demand, from: slot, then: .none)
    } else if !asksForAll, ledger.isUnlimited, buffer.isEmpty {
      asksForAll = true
      passesOn = isKnown && maxPublishers == .unlimited && !outerHasEnded
      askForAll(from: 0)
    }
  }

  /// Leaves it to do to ask a lane for values.
  @inlinable
  func request(_ demand: Subscribers.Demand, from slot: Int, then next: NextStep) {
    if let subscription = lanes[slot].subscription { owe(.ask(subscription, demand, then: next)) }
  }

  /// Leaves it to do to ask the first open lane for everything, and then the others.
  ///
  /// - Parameter slot: The place to begin at.
  @inlinable
  func askForAll(from slot: Int) {
    guard !isOver, let found = lanes[slot...].firstIndex(where: { $0.subscription != nil }) else { return }
    request(.unlimited, from: found, then: found + 1 < lanes.count ? .askForAll(slot: found + 1) : .none)
  }

  /// Delivers what waits, one value per unit of demand, and asks each value's lane for the next.
  ///
  /// - Parameter next: What to go on with after a lane was asked.
  /// - Returns: Whether all is done: otherwise a lane is to be asked first.
  @inlinable
  func drain(then next: NextStep) -> Bool {
    while !isOver, !buffer.isEmpty, ledger.take() {
      let lane: LaneID
      do {
        // The value is freed before a request is noted: its `deinit` may come back here.
        guard let waiting = buffer.popFirst() else { break }
        lane = waiting.lane
        _ = emit(waiting.value)
      }
      if !ledger.isUnlimited, isCurrent(lane), lanes[lane.slot].subscription != nil {
        request(.max(1), from: lane.slot, then: next)
        return false
      }
    }
    concludeIfDone()
    return true
  }

  @inlinable
  func finish(_ completion: Subscribers.Completion<Failure>, _ lane: LaneID) {
    guard !isOver, isCurrent(lane) else { return }
    close(lane.slot)
    goOn(after: completion)
  }

  /// Goes on, or ends, after the end of an inner stream.
  @inlinable @inline(__always)
  func goOn(after completion: Subscribers.Completion<Failure>) {
    if case .failure = completion {
      if !cancelsOuter { withLock { outer.take() } }
      return conclude(completion)
    }
    // The outer stream's end, should it come of asking, looks for itself whether that was all.
    concludeIfDone()
    if maxPublishers != .unlimited, !outerHasEnded { askForAnother() }
  }

  @inlinable @inline(never)
  func askForAnother() {
    if let outer { owe(.ask(outer, .max(1), then: .none)) }
  }

  @inlinable @inline(__always)
  func concludeIfDone() {
    if outerHasEnded, !isOver, !isMaking, open == 0, buffer.isEmpty { conclude(.finished) }
  }

  /// Cancels every stream, the inner ones first, and tells the subscriber.
  @inlinable
  func conclude(_ completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    let wasCancelled = ledger.cancel() == DemandLedger.cancelled
    noteEnd()
    endOuter()
    if outer == nil, open == 0 {
      dropWaiting()
      if !wasCancelled { tell(completion) }
    } else if wasCancelled {
      isCancelling = true
    } else {
      owe(conclusion: { self.receive(.inner { self.tellAtLast(completion) }, .long) })
    }
  }

  @inlinable
  func tell(_ completion: Subscribers.Completion<Failure>) { withDownstream { $0.receive(completion: completion) } }

  /// Tells the subscriber, unless it has cancelled while the streams were being cancelled.
  @inlinable
  func tellAtLast(_ completion: Subscribers.Completion<Failure>) {
    if takeConclusion(), !withLock({ isRefused }) { tell(completion) }
  }

  @inlinable
  func endOuter() {
    outerHasEnded = true
    passesOn = false
  }

  /// The inner streams, and then the outer one.
  @usableFromInline
  override var streams: LinkList {
    var streams = LinkList()
    for lane in lanes { if let stream = lane.subscription { streams.append(stream) } }
    if let outer { streams.append(outer) }
    return streams
  }

  @usableFromInline
  override func takeStreams() -> LinkList {
    guard !lanes.isEmpty else { return LinkList(outer.take(), nil) }
    defer {
      for slot in lanes.indices { lanes[slot].subscription = nil }
      outer = nil
    }
    return streams
  }

  @usableFromInline
  override func dropWaiting() {
    if !buffer.isEmpty { _ = buffer.takeAll() }
  }
}
