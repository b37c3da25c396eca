// A stream whose values are joined by the newest of another stream: the engine of withLatestFrom.

import WeirQueues

/// Passes each value of a stream on together with the newest of another one.
///
/// Only the newest value is not behind the gate: the closure that joins runs before the gate is entered, as it is the
/// user's, on the thread that sends, and the other stream never waits for a delivery. The other stream is subscribed to
/// first and asked for everything; demand goes straight to the stream itself, which is asked for one more for each
/// value that came too early. When the other stream ends without a value, so does this one, as nothing can come of it
/// any more.
@safe
@usableFromInline
package final class LatestFromLink<Value, Other, Downstream: Subscriber>: SideStreamLink<Downstream> {
  /// Makes a value of a value and the newest of the other stream.
  @usableFromInline let join: (Value, Other) -> Downstream.Input

  // SAFETY (exclusivity): touched under `lock` only, and neither retaining nor swapping runs user code.

  /// The newest value of the other stream.
  @safe @exclusivity(unchecked) @usableFromInline var latest: Other?

  /// Creates a link for a subscriber; `attach` sets it going.
  @inlinable
  package init(
    downstream: HeldSubscriber<Downstream>, name: StaticString, join: @escaping (Value, Other) -> Downstream.Input
  ) {
    self.join = join
    super.init(downstream: downstream, policy: .joins, name: name, refusesNone: true)
  }

  /// Subscribes to the other stream, and then to the stream itself.
  @inlinable
  package func attach<Upstream: Publisher, Others: Publisher>(_ upstream: Upstream, _ others: Others)
  where
    Upstream.Output == Value, Upstream.Failure == Downstream.Failure, Others.Output == Other,
    Others.Failure == Downstream.Failure
  {
    others.receive(subscriber: LatestFromOther(self))
    upstream.receive(subscriber: LatestFromSubscriber(self))
  }

  // MARK: Signals, from any thread

  /// Joins a value with the newest of the other stream, and passes the result on.
  @inlinable @inline(__always)
  func receive(joining value: Value) -> Subscribers.Demand {
    guard !cancelled.hasFired else { return .none }
    guard let newest = withLock({ latest }) else { return .max(1) }
    return receive(join(value, newest))
  }

  /// Stores a value of the other stream. The former one is freed at the end, as its `deinit` may come back here.
  @inlinable
  func replace(_ value: Other) {
    var exchanged: Other? = value
    // What comes after the end would not be dropped again.
    withLock { if !isDetached { swap(&latest, &exchanged) } }
    withExtendedLifetime(exchanged) {}
  }

  @usableFromInline
  override var hasLatest: Bool { withLock { latest != nil } }

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
    unsafe Unmanaged.passUnretained(link)._withUnsafeGuaranteedRef { $0.receive(joining: input) }
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
