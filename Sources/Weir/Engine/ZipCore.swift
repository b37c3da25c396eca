// Pairs the values of several streams: a gate, and a queue for each stream. The engine of zip.

import WeirQueues

/// The part of a zip that knows neither the number of its streams nor their types.
///
/// Each stream is a lane with a queue of its own. When every lane has a value, `build` takes one of each and makes a tuple;
/// it is one closure per arity, formed where the types are known. All state belongs to the holder of the gate.
///
/// As in Combine: the subscriber gets its subscription when every stream has given one; what it asks for is asked of every
/// stream; a stream that runs ahead is queued without limit; a tuple is delivered when it is complete, also without
/// demand; demand that the subscriber adds while it receives a tuple is returned to the stream that completed it and asked
/// of the others.
@safe
@usableFromInline
package final class ZipCore<Downstream: Subscriber>: SerialLink<Downstream, () -> Void> {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let cancelled = OneShot()
  /// Takes one value of each lane and makes a tuple of them.
  @usableFromInline let build: () -> Downstream.Input
  /// Empties every lane's queue.
  @usableFromInline let discard: () -> Void
  @usableFromInline let lanes: [ZipLane]

  // SAFETY (exclusivity): only the holder of the gate touches these, one thread at a time.

  /// Lanes that have no subscription yet.
  @safe @exclusivity(unchecked) @usableFromInline var awaited: Int
  /// The lane whose value completed the tuple that is being delivered.
  @safe @exclusivity(unchecked) @usableFromInline var triggering: ZipLane?
  /// Demand that came during that delivery, to be returned to that lane.
  @safe @exclusivity(unchecked) @usableFromInline var returned = Subscribers.Demand.none
  /// Lanes that have no value.
  @safe @exclusivity(unchecked) @usableFromInline var missing: Int

  @inlinable
  init(
    downstream: Downstream, lanes: [ZipLane], name: StaticString, build: @escaping () -> Downstream.Input,
    discard: @escaping () -> Void
  ) {
    self.build = build
    self.discard = discard
    self.lanes = lanes
    missing = lanes.count
    awaited = lanes.count
    super.init(
      downstream: downstream, name: name,
      // SAFETY: the link passed in is the one that holds these closures.
      onRequest: { link, demand in unsafe unsafeDowncast(link, to: ZipCore.self).demand(demand) },
      onCancel: { link in unsafe unsafeDowncast(link, to: ZipCore.self).end() })
  }

  // MARK: Signals, from any thread

  /// Takes a value of a lane.
  @inlinable @inline(__always)
  func receive<Value>(_ value: Value, from lane: ZipLaneOf<Value>) -> Subscribers.Demand {
    switch enter() {
    case .entered:
      let demand = deliver(value, from: lane)
      leave { $0() }
      return demand
    case .nested: return deliver(value, from: lane)
    case .taken:
      let work = {
        // The lane's thread has gone without an answer, so its next demand is asked for here.
        let demand = self.deliver(value, from: lane)
        if demand != .none { lane.request(demand) }
      }
      handOver(work) { $0() }
      return .none
    }
  }

  /// Does anything else, alone.
  @inlinable
  func perform(_ work: @escaping () -> Void) { receive(work) { $0() } }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    demand.requireSome(name)
    perform { self.ask(demand) }
  }

  @inlinable
  func end() {
    if cancelled.fire() { perform { self.shutDown() } }
  }

  // MARK: What the holder of the gate does

  @inlinable
  func begin(_ subscription: any Subscription, _ lane: ZipLane) {
    guard !isOver, !cancelled.hasFired, lane.subscription == nil, !lane.hasEnded else { return subscription.cancel() }
    lane.subscription = subscription
    awaited -= 1
    if awaited == 0 { withDownstream { $0.receive(subscription: self) } }
  }

  @inlinable @inline(__always)
  func deliver<Value>(_ value: Value, from lane: ZipLaneOf<Value>) -> Subscribers.Demand {
    guard !isOver, !cancelled.hasFired, !lane.hasEnded else { return .none }
    if lane.isEmpty { missing -= 1 }
    lane.append(value)
    guard missing == 0 else { return .none }
    let tuple = build()
    for lane in lanes where lane.isEmpty { missing += 1 }
    let outermost = triggering == nil
    if outermost { triggering = lane }
    let demand = withDownstream { $0.receive(tuple) }
    if demand != .none { ask(demand) }
    concludeIfDone()
    guard outermost else { return .none }
    defer { returned = .none }
    triggering = nil
    return returned
  }

  /// Asks every lane for values, the one whose value is being delivered by way of an answer.
  @inlinable
  func ask(_ demand: Subscribers.Demand) {
    guard !isOver else { return }
    if triggering != nil { returned += demand }
    for lane in lanes where lane !== triggering { lane.request(demand) }
  }

  @inlinable
  func finish(_ completion: Subscribers.Completion<Failure>, _ lane: ZipLane) {
    guard !isOver, !lane.hasEnded else { return }
    lane.hasEnded = true
    if case .failure = completion { return conclude(completion) }
    lane.subscription = nil
    concludeIfDone()
  }

  /// Finishes as soon as no further tuple is possible.
  @inlinable
  func concludeIfDone() {
    if !isOver, lanes.contains(where: { $0.hasEnded && $0.isEmpty }) { conclude(.finished) }
  }

  @inlinable
  func conclude(_ completion: Subscribers.Completion<Failure>) {
    shutDown()
    guard cancelled.fire() else { return }
    withDownstream {
      if awaited > 0 { $0.receive(subscription: Subscriptions.empty) }
      $0.receive(completion: completion)
    }
  }

  /// Cancels every stream, one that has failed included, and drops what is queued.
  @inlinable
  func shutDown() {
    guard !isOver else { return }
    isOver = true
    for lane in lanes {
      let subscription = lane.subscription
      lane.subscription = nil
      lane.hasEnded = true
      subscription?.cancel()
    }
    discard()
  }
}

/// What a zip knows of a stream without its type. It belongs to the holder of the zip's gate.
@safe
@usableFromInline
package class ZipLane {
  // SAFETY (exclusivity): the holder of the zip's gate alone touches these.
  @safe @exclusivity(unchecked) @usableFromInline var subscription: (any Subscription)?
  @safe @exclusivity(unchecked) @usableFromInline var hasEnded = false
  /// Values that wait for those of the other streams.
  @safe @exclusivity(unchecked) @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable @inline(__always)
  final var isEmpty: Bool { count == 0 }

  /// Asks the stream for values. The subscription is copied out first: answering may end the lane.
  @inlinable
  final func request(_ demand: Subscribers.Demand) {
    let subscription = subscription
    subscription?.request(demand)
  }
}

/// A stream of a zip, with the queue of its values.
@safe
@usableFromInline
package final class ZipLaneOf<Value>: ZipLane {
  // SAFETY (exclusivity): as for the fields above.
  @safe @exclusivity(unchecked) @usableFromInline var values = RingBuffer<Value>()

  @inlinable
  override init() {}

  @inlinable
  func append(_ value: Value) {
    values.append(value)
    count += 1
  }

  /// Takes the first value; there is one.
  @inlinable
  func take() -> Value {
    count -= 1
    // SAFETY: a tuple is built only when no lane is empty.
    return unsafe values.popFirst().unsafelyUnwrapped
  }

  @inlinable
  func drop() {
    count = 0
    _ = values.takeAll()
  }
}

/// The subscriber to one stream of a zip.
@frozen
@usableFromInline
struct ZipLaneSubscriber<Value, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let core: ZipCore<Downstream>
  @usableFromInline let lane: ZipLaneOf<Value>
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(_ core: ZipCore<Downstream>, _ lane: ZipLaneOf<Value>) {
    self.core = core
    self.lane = lane
  }

  @inlinable
  func receive(subscription: any Subscription) { core.perform { core.begin(subscription, lane) } }

  @inlinable @inline(__always)
  func receive(_ input: Value) -> Subscribers.Demand { core.receive(input, from: lane) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { core.perform { core.finish(completion, lane) } }

  @usableFromInline var description: String { "\(core.name)" }
}
