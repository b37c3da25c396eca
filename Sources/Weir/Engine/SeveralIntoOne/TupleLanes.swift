// The streams of a tuple core: what each has brought, and who subscribes to it.
// No test mirror: TupleCoreTests does what is here.

import WeirQueues

/// What a tuple core knows of a stream without its type. It belongs to the holder of the core's gate.
@safe
@usableFromInline
package class TupleLane {
  // SAFETY (exclusivity): the holder of the core's gate alone touches these.
  @safe @exclusivity(unchecked) @usableFromInline final var subscription: Link?
  @safe @exclusivity(unchecked) @usableFromInline final var hasEnded = false
  /// Its place among the core's lanes.
  @safe @exclusivity(unchecked) @usableFromInline final var number = 0
  /// Values that are stored; other threads look at it.
  @usableFromInline final let count = AtomicWord(0)
  // SAFETY (exclusivity): under the core's `turn` only.
  /// zip: values that are to be stored by the holder, for certain: who sees none, and that nothing is stored, and leaves a value
  /// then, is seen by the holder before it notes one.
  @safe @exclusivity(unchecked) @usableFromInline final var noted = 0

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  final var isEmpty: Bool { count.relaxedLoad() == 0 }

  /// Drops what is stored, after the end.
  @inlinable
  func drop() {}
}

/// A stream of a tuple core, with the queue of its values, or the newest.
@safe
@usableFromInline
package final class TupleLaneOf<Value>: TupleLane {
  // SAFETY (exclusivity): as for the fields above.

  /// zip: values that wait for those of the other streams.
  @safe @exclusivity(unchecked) @usableFromInline var values = RingBuffer<Value>()
  /// combineLatest: the newest value.
  @safe @exclusivity(unchecked) @usableFromInline var latest: Value?

  @inlinable
  package override init() {}

  @inlinable @inline(__always)
  func append(_ value: Value) {
    values.append(value)
    count.relaxedStore(count.relaxedLoad() + 1)
  }

  /// Takes the first value of the queue; there is one.
  ///
  /// - Parameter missing: Is raised if it was the last.
  @inlinable @inline(__always)
  package func take(_ missing: inout Int) -> Value {
    let rest = count.relaxedLoad() - 1
    count.relaxedStore(rest)
    if rest == 0 { missing += 1 }
    // SAFETY: a tuple is built only when no lane is empty.
    return unsafe values.popFirst().unsafelyUnwrapped
  }

  /// Stores the newest value.
  ///
  /// - Returns: The former one.
  @inlinable
  func replace(_ value: Value) -> Value? {
    var other: Value? = value
    swap(&latest, &other)
    count.relaxedStore(1)
    return other
  }

  /// The newest value; there is one.
  @inlinable
  package func peek() -> Value {
    // SAFETY: a tuple is built only when no lane is empty.
    unsafe latest.unsafelyUnwrapped
  }

  @inlinable
  override func drop() {
    count.relaxedStore(0)
    let latest = latest
    self.latest = nil
    _ = values.takeAll()
    withExtendedLifetime(latest) {}
  }
}

/// The subscriber to one stream of a tuple core.
@frozen
@usableFromInline
struct TupleLaneSubscriber<Rule: TupleRule, Value, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let core: TupleCore<Rule, Downstream>
  @usableFromInline let lane: TupleLaneOf<Value>
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(_ core: TupleCore<Rule, Downstream>, _ lane: TupleLaneOf<Value>) {
    self.core = core
    self.lane = lane
  }

  @inlinable
  func receive(subscription: any Subscription) {
    let link = Link.of(subscription)
    core.perform { core.begin(link, lane) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Value) -> Subscribers.Demand {
    // SAFETY: whoever calls this has the subscriber, and so the core and the lane, until it returns.
    unsafe Unmanaged.passUnretained(core)._withUnsafeGuaranteedRef { core in
      unsafe Unmanaged.passUnretained(lane)._withUnsafeGuaranteedRef { core.receive(input, from: $0) }
    }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    var patience = Patience.short
    if case .failure = completion { patience = .long }
    core.perform(patience) { core.finish(completion, lane) }
  }

  @usableFromInline var description: String { "\(core.name)" }
}

extension TupleLaneSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
  @usableFromInline var playgroundDescription: Any { description }
}
