// The streams of a tuple link: what each has brought, and who subscribes to it.
// No test file: TupleLinkTests does what is here.

import WeirQueues

/// What a tuple link knows of a stream without its type. It belongs to the holder of the link's gate.
@safe
@usableFromInline
package class TupleLane {
  // SAFETY (exclusivity): the holder of the link's gate alone touches these.
  @safe @exclusivity(unchecked) @usableFromInline final var subscription: Link?
  @safe @exclusivity(unchecked) @usableFromInline final var hasEnded = false
  /// Its place among the link's lanes.
  @safe @exclusivity(unchecked) @usableFromInline final var number = 0
  /// Values that are stored; other threads look at it.
  @usableFromInline final let count = AtomicWord(0)
  // SAFETY (exclusivity): under the link's `lock` only.
  /// zip: values that are to be stored by the holder, for certain: who sees none, and that nothing is stored, and
  /// leaves a value then, is seen by the holder before it notes one.
  @safe @exclusivity(unchecked) @usableFromInline final var noted = 0

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  final var isEmpty: Bool { count.relaxedLoad() == 0 }

  /// Drops what is stored, after the end.
  @inlinable
  func drop() {}
}

/// A stream of a tuple link, with the queue of its values, or the newest.
@safe
@usableFromInline
package final class TypedTupleLane<Value>: TupleLane {
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

/// The subscriber to one stream of a tuple link.
@frozen
@usableFromInline
struct TupleLaneSubscriber<Policy: TuplePolicy, Value, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: TupleLink<Policy, Downstream>
  @usableFromInline let lane: TypedTupleLane<Value>
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(_ link: TupleLink<Policy, Downstream>, _ lane: TypedTupleLane<Value>) {
    self.link = link
    self.lane = lane
  }

  @inlinable
  func receive(subscription: any Subscription) {
    link.receive(.subscription(Link.of(subscription), lane)) { link.process($0) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Value) -> Subscribers.Demand {
    // SAFETY: whoever calls this has the subscriber, and so the link and the lane, until it returns.
    unsafe Unmanaged.passUnretained(link)._withUnsafeGuaranteedRef { link in
      unsafe Unmanaged.passUnretained(lane)._withUnsafeGuaranteedRef { link.receive(input, from: $0) }
    }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    var patience = Patience.short
    if case .failure = completion { patience = .long }
    link.perform(patience) { link.finish(completion, lane) }
  }

  @usableFromInline var description: String { "\(link.name)" }
}

extension TupleLaneSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { Mirror(of: self) }
  @usableFromInline var playgroundDescription: Any { description }
}
