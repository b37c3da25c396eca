// Makes tuples of the values of several streams: a gate, and a lane for each stream. The engine of zip and
// combineLatest.

import WeirQueues

/// What tells zip and combineLatest apart, as a type, so that it costs nothing where values pass.
@usableFromInline
package protocol TuplePolicy {
  /// Whether a tuple is made of the newest value of each stream, which stays; each value is used once otherwise.
  static var keepsLatest: Bool { get }
}

/// zip: first with first, second with second.
@usableFromInline
package enum PairingPolicy: TuplePolicy {
  @inlinable @inline(__always)
  package static var keepsLatest: Bool { false }
}

/// combineLatest: each value with the newest of the others.
@usableFromInline
package enum LatestPolicy: TuplePolicy {
  @inlinable @inline(__always)
  package static var keepsLatest: Bool { true }
}

/// What can happen to a tuple link. It doesn't depend on the kinds of values and errors, so that code which isn't
/// compiled for them is as fast; what does comes as a closure, which is made only for a signal that is left to the
/// holder of the gate, or for the end of a stream.
@frozen
@usableFromInline
package enum TupleSignal: SerialSignal {
  /// To do anything, alone: to take a value, or the end of a stream.
  case work(() -> Void)
  case subscription(Link, TupleLane)
  case demand(Subscribers.Demand)
  case cancel
  /// A value that another thread has brought during a delivery.
  case offer(TupleOffer)
  case goOn(NextStep)
}

/// The part of a zip or combineLatest that knows neither the number of its streams nor their types.
///
/// Each stream is a lane that stores its values. When every lane has one, `build` makes a tuple; it is one closure per
/// arity, formed where the types are known. All state belongs to the holder of the gate.
///
/// As in Combine: the subscriber gets its subscription when every stream has given one, and what it asks for is asked
/// of every stream. The rest depends on the policy:
///
/// - zip queues a stream that runs ahead, without limit; a tuple is delivered when it is complete, also without demand;
///   demand that the subscriber adds while it receives a tuple is returned to the stream that completed it and asked of
///   the others; the stream finishes as soon as no further tuple is possible.
/// - combineLatest delivers one tuple per unit of demand; a value that finds none only replaces the former one of its
///   stream; new demand is asked of every stream; the stream finishes when all have finished.
@safe
@usableFromInline
package final class TupleLink<Policy: TuplePolicy, Downstream: Subscriber>: SerialLink<Downstream, TupleSignal> {
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let cancelled = OneShot()
  /// Makes a tuple of one value of each lane, and counts the lanes that have none left.
  @usableFromInline let build: (inout Int) -> Downstream.Input
  @usableFromInline let lanes: [TupleLane]

  // SAFETY (exclusivity): only the holder of the gate touches these, one thread at a time.

  /// Lanes that have no subscription yet.
  @safe @exclusivity(unchecked) @usableFromInline var awaited: Int
  /// Lanes that have no value.
  @safe @exclusivity(unchecked) @usableFromInline var missing: Int
  /// Lanes whose streams have ended; of 32 bits, so that the next field takes no further word.
  @safe @exclusivity(unchecked) @usableFromInline var ended: Int32 = 0
  /// zip: whether the lanes are looked at for one that has nothing more to give, once all have been asked.
  @safe @exclusivity(unchecked) @usableFromInline var concludesLater = false
  /// zip: the number of the lane whose value completed the tuple that is being delivered; -1 for none.
  @safe @exclusivity(unchecked) @usableFromInline var triggering = -1
  /// zip: demand that came during that delivery, to be returned to that lane.
  @safe @exclusivity(unchecked) @usableFromInline var returned = Subscribers.Demand.none
  /// What other threads look at: whether a tuple is being delivered; for combineLatest, the last one that is wanted.
  @usableFromInline let look = AtomicWord(0)
  /// combineLatest: how many tuples may still be delivered.
  @safe @exclusivity(unchecked) @usableFromInline var wanted = Subscribers.Demand.none
  /// combineLatest: how many tuples are being delivered, one within another.
  @safe @exclusivity(unchecked) @usableFromInline var deliveries = 0
  // SAFETY (exclusivity): under `lock` only.
  /// combineLatest: requests that the holder has not taken yet.
  @safe @exclusivity(unchecked) @usableFromInline var asking = 0

  @inlinable
  package init(
    downstream: HeldSubscriber<Downstream>, lanes: [TupleLane], name: StaticString,
    build: @escaping (inout Int) -> Downstream.Input
  ) {
    self.build = build
    self.lanes = lanes
    missing = lanes.count
    awaited = lanes.count
    for (number, lane) in lanes.enumerated() { lane.number = number }
    super.init(
      downstream: downstream, name: name,
      onRequest: { link, demand in link.downcast(to: TupleLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: TupleLink.self).end() })
  }

  /// Joins any number of streams of one kind into arrays, in their order.
  ///
  /// - Parameters:
  ///   - streams: The streams; of none, the subscriber is told the end at once.
  ///   - downstream: The subscriber.
  ///   - name: The operator's name.
  ///   - take: Takes one value of a lane, and counts the lane if it has none left.
  @inlinable
  package static func join<Streams: Collection>(
    _ streams: Streams, to downstream: HeldSubscriber<Downstream>, name: StaticString,
    take: @escaping (TypedTupleLane<Streams.Element.Output>, inout Int) -> Streams.Element.Output
  )
  where
    Streams.Element: Publisher, Downstream.Input == [Streams.Element.Output], Failure == Streams.Element.Failure
  {
    // Read once: a lazy collection makes its streams whenever it is read.
    let streams = Array(streams)
    let lanes = streams.map { _ in TypedTupleLane<Streams.Element.Output>() }
    let link = TupleLink(
      downstream: downstream, lanes: lanes, name: name, build: { missing in lanes.map { take($0, &missing) } })
    guard !lanes.isEmpty else {
      return link.withDownstream {
        $0.receive(subscription: Subscriptions.empty)
        $0.receive(completion: .finished)
      }
    }
    for (stream, lane) in zip(streams, lanes) { link.open(stream, lane) }
  }

  // MARK: Signals, from any thread

  /// Subscribes a lane to its stream.
  @inlinable
  package func open<Stream: Publisher>(_ stream: Stream, _ lane: TypedTupleLane<Stream.Output>)
  where Stream.Failure == Failure {
    stream.receive(subscriber: TupleLaneSubscriber(self, lane))
  }

  /// Takes a value of a lane.
  @inlinable @inline(__always)
  func receive<Value>(_ value: Value, from lane: TypedTupleLane<Value>) -> Subscribers.Demand {
    guard enterOwned() else { return receiveShared(value, from: lane) }
    let demand = deliver(value, from: lane)
    if isDue || !leaveOwned() { settle { process($0) } }
    return demand
  }

  @inlinable @inline(never)
  func receiveShared<Value>(_ value: Value, from lane: TypedTupleLane<Value>) -> Subscribers.Demand {
    guard enterFree() == .entered else { return receiveTaken(value, from: lane) }
    let demand = deliver(value, from: lane)
    leave { process($0) }
    return demand
  }

  @inlinable @inline(never)
  func receiveTaken<Value>(_ value: Value, from lane: TypedTupleLane<Value>) -> Subscribers.Demand {
    while true {
      var isLetThrough = false
      let entry = enterShared(.long) {
        isLetThrough = withLock { completesNone(lane) }
        return isLetThrough
      }
      switch entry {
      case .entered:
        let demand = deliver(value, from: lane)
        leave { process($0) }
        return demand
      case .nested:
        if !Policy.keepsLatest { withLock { lane.noted += 1 } }
        if tookBehindOthers(later(value, from: lane, isNoted: !Policy.keepsLatest), { process($0) }) { return .none }
        let demand = deliver(value, from: lane, isNoted: !Policy.keepsLatest)
        leaveNested { process($0) }
        return demand
      case .taken where isLetThrough:
        if offer(value, from: lane) { return .none }
      case .taken:
        handOver(later(value, from: lane)) { process($0) }
        return .none
      }
    }
  }

  /// Does anything else, alone.
  @inlinable
  func perform(_ patience: Patience, _ work: @escaping () -> Void) {
    receive(.work(work), patience) { process($0) }
  }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    demand.requireSome(name)
    if Policy.keepsLatest { withLock { asking += 1 } }
    receive(.demand(demand)) { process($0) }
  }

  @inlinable
  func end() {
    guard cancelled.fire() else { return }
    receive(cancellation: .cancel) { process($0) }
  }

  // MARK: What the holder of the gate does

  @usableFromInline
  override func settleAsHelper() { settle({ process($0) }, asHelper: true) }

  @inlinable
  func process(_ signal: TupleSignal) {
    switch signal {
    case .work(let work): work()
    case .subscription(let subscription, let lane): begin(subscription, lane)
    case .demand(let demand):
      ask(demand)
      // Behind the look that goes with it.
      if Policy.keepsLatest { withLock { asking -= 1 } }
    case .cancel: noteCancellation()
    case .offer(let offer): take(offer)
    case .goOn(.ask(let demand, let first, let exception, let concludes)):
      ask(demand, from: first, butFor: exception, thenConclude: concludes)
    case .goOn(let step): step.refuse()
    }
  }

  @inlinable
  func begin(_ subscription: Link, _ lane: TupleLane) {
    guard !isOver, !cancelled.hasFired, lane.subscription == nil, !lane.hasEnded else {
      return owe(.cancel(subscription))
    }
    guard keep(subscription, { lane.subscription = $0 }) else { return }
    awaited -= 1
    if awaited == 0 { withDownstream { $0.receive(subscription: self) } }
  }

  /// Takes a value of a lane, and delivers a tuple if it makes one.
  ///
  /// - Parameter isNoted: Whether the lane counts it as noted.
  @inlinable @inline(__always)
  func deliver<Value>(
    _ value: Value, from lane: TypedTupleLane<Value>, isNoted: Bool = false
  ) -> Subscribers.Demand {
    guard !isOver, !cancelled.hasFired, !lane.hasEnded else {
      if isNoted { withLock { lane.noted -= 1 } }
      return .none
    }
    if lane.isEmpty { missing -= 1 }
    if Policy.keepsLatest {
      update(lane, to: value)
      return .none
    }
    lane.append(value)
    if isNoted { withLock { lane.noted -= 1 } }
    guard missing == 0 else { return .none }
    let outermost = triggering < 0
    let formerLook = look.relaxedLoad()
    let demand: Subscribers.Demand
    do {
      // Freed before requests are noted, as the `deinit` of its values may come back here.
      let tuple = build(&missing)
      if outermost { triggering = lane.number }
      // With what the lanes have now. (acquireLoad in `completesNone`)
      look.publish(1)
      demand = pass(tuple)
      look.relaxedStore(formerLook)
    }
    if demand != .none {
      ask(demand, thenConclude: ended > 0)
    } else if ended > 0 {
      concludeIfDone()
    }
    guard outermost else { return .none }
    defer { returned = .none }
    triggering = -1
    return returned
  }

  /// Replaces a lane's value, and delivers a tuple if that is wanted and possible.
  @inlinable @inline(__always)
  func update<Value>(_ lane: TypedTupleLane<Value>, to value: Value) {
    let demand: Subscribers.Demand
    do {
      // The former value is freed behind the delivery and before requests are noted: its `deinit` may come back here.
      let former = lane.replace(value)
      defer { withExtendedLifetime(former) {} }
      guard missing == 0, wanted > .none else { return }
      wanted -= 1
      let tuple = build(&missing)
      deliveries += 1
      noteWanted()
      demand = pass(tuple)
      deliveries -= 1
      noteWanted()
    }
    if demand != .none { ask(demand) }
  }

  /// combineLatest: lets others see whether a tuple is being delivered and no further one is wanted.
  @inlinable @inline(__always)
  func noteWanted() { look.relaxedStore(deliveries > 0 && wanted == .none ? 1 : 0) }

  /// Asks every lane for values, the one whose value is being zipped by way of an answer.
  @inlinable
  func ask(_ demand: Subscribers.Demand, thenConclude concludes: Bool = false) {
    guard !isOver else { return }
    if Policy.keepsLatest {
      wanted += demand
      noteWanted()
    }
    if triggering >= 0 { returned += demand }
    if concludes { concludesLater = true }
    ask(demand, from: 0, butFor: triggering, thenConclude: concludes)
  }

  /// Leaves it to do to ask the next lane for values, and then the others.
  ///
  /// - Parameters:
  ///   - demand: What to ask for.
  ///   - first: The number of the lane to begin at.
  ///   - exception: The number of a lane that isn't asked.
  ///   - concludes: Whether to look afterwards if a further tuple is possible.
  @inlinable
  func ask(_ demand: Subscribers.Demand, from first: Int, butFor exception: Int, thenConclude concludes: Bool) {
    guard !isOver else { return }
    for number in first..<lanes.count where number != exception {
      guard let subscription = lanes[number].subscription else { continue }
      let next = NextStep.ask(demand, from: number + 1, butFor: exception, thenConclude: concludes)
      let isLast = number + 1 == lanes.count || number + 2 == lanes.count && exception == number + 1
      return owe(.ask(subscription, demand, then: isLast && !concludes ? .none : next))
    }
    if concludes { concludeIfDone() }
  }

  @inlinable
  func finish(_ completion: Subscribers.Completion<Failure>, _ lane: TupleLane) {
    guard !isOver, !lane.hasEnded else { return }
    lane.hasEnded = true
    ended += 1
    if case .failure = completion { return conclude(completion) }
    withLock { lane.subscription.take() }
    // One stream's end does not look at all others, of which there may be many.
    if Policy.keepsLatest {
      if Int(ended) == lanes.count { conclude(.finished) }
    } else if lane.isEmpty || triggering >= 0 || concludesLater {
      concludeIfDone()
    }
  }

  /// zip: finishes if no further tuple is possible. Lanes become empty by a tuple, and are looked at behind that.
  @inlinable
  func concludeIfDone() {
    guard !isOver else { return }
    concludesLater = false
    if lanes.contains(where: { $0.hasEnded && $0.isEmpty }) { conclude(.finished) }
  }

  /// Cancels every stream, one that has failed included, and tells the subscriber.
  @inlinable
  func conclude(_ completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    noteEnd()
    if lanes.allSatisfy({ $0.subscription == nil }) {
      dropWaiting()
      return tell(completion)
    }
    owe(conclusion: { self.perform(.long) { if self.takeConclusion() { self.tell(completion) } } })
  }

  @inlinable
  func tell(_ completion: Subscribers.Completion<Failure>) {
    guard cancelled.fire() else { return }
    withDownstream {
      if awaited > 0 { $0.receive(subscription: Subscriptions.empty) }
      $0.receive(completion: completion)
    }
  }

  @usableFromInline
  override var streams: LinkList {
    var streams = LinkList()
    for lane in lanes { if let stream = lane.subscription { streams.append(stream) } }
    return streams
  }

  @usableFromInline
  override func takeStreams() -> LinkList {
    defer { for lane in lanes { lane.subscription = nil } }
    return streams
  }

  @usableFromInline
  override func dropWaiting() { for lane in lanes { lane.drop() } }
}
