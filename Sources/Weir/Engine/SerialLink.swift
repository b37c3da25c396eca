// A subscription that serialises signals from several threads for one subscriber: a gate, and the subscriber behind it.

import WeirQueues

/// What the engines of flatMap, merge, switchToLatest, zip and buffer have in common.
///
/// A signal is either taken inside the gate, or left to the thread that holds it. What that thread itself sends meanwhile
/// is taken at once, deeper in its stack, unless signals of other threads wait: then it goes behind them, as the values of
/// one stream may come from several threads in turn, and must not overtake each other. The subscriber is held unmanaged, as one
/// retained object, so that a delivery counts no reference; it is freed after the end, when the outermost delivery is over
/// and the gate is left. So are the closures of a sink, which values may go to without the sink.
@safe
@usableFromInline
package class SerialLink<Downstream: Subscriber, Signal>: Link {
  @usableFromInline typealias Sink = Subscribers.Sink<Downstream.Input, Downstream.Failure>
  @usableFromInline typealias Closures = SinkClosures<Downstream.Input, Downstream.Failure>

  @usableFromInline let gate = Gate<Signal>()
  /// The operator's name, as Combine shows it.
  @usableFromInline let name: StaticString

  // SAFETY (exclusivity): only the holder of the gate touches these, one thread at a time.

  /// The subscriber, retained once; `nil` once freed.
  @exclusivity(unchecked) @usableFromInline var target: Unmanaged<SubscriberBox<Downstream>>?
  /// The closures of a subscriber that is a sink, retained once; `nil` once freed.
  @exclusivity(unchecked) @usableFromInline var closures: Unmanaged<Closures>?
  /// Whether the stream has ended, from whichever side.
  @safe @exclusivity(unchecked) @usableFromInline var isOver = false
  /// Whether signals that were handed over are being taken.
  @safe @exclusivity(unchecked) @usableFromInline var isSettling = false

  @inlinable
  init(
    downstream: Downstream, name: StaticString, onRequest: @escaping (Link, Subscribers.Demand) -> Void,
    onCancel: @escaping (Link) -> Void
  ) {
    self.name = name
    unsafe target = .passRetained(SubscriberBox(downstream))
    unsafe closures = (downstream as? Sink)?.handlers.retainedClosures()
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  deinit {
    unsafe target?.release()
    unsafe closures?.release()
  }

  @usableFromInline
  package override var description: String { "\(name)" }

  /// Gives the subscriber to a closure. Only the holder of the gate may call this, before it has left the gate at the end.
  @inlinable @inline(__always)
  final func withDownstream<Result>(_ body: (Downstream) -> Result) -> Result {
    // SAFETY: the subscriber is freed by `settle`, after the end and after the last call of this.
    unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef { body($0.subscriber) }
  }

  /// Delivers a value, to a sink without the detour over its state: the caller has looked whether the stream was cancelled,
  /// and a cancellation since then can't get the gate. Only the holder of the gate may call this.
  @inlinable @inline(__always)
  final func pass(_ value: Downstream.Input) -> Subscribers.Demand {
    guard let closures = unsafe closures else {
      // The closures of a sink are missing only if another stream of its own had ended before this one began.
      return withDownstream { $0 is Sink ? .none : $0.receive(value) }
    }
    // SAFETY: as for the subscriber.
    unsafe closures._withUnsafeGuaranteedRef { $0.receiveValue(value) }
    return .none
  }

  /// Enters the gate by the short way.
  @inlinable @inline(__always)
  final func enterOwned() -> Bool { gate.enterOwned { me in enterRevoked(me) } }

  /// Leaves the gate by the short way, after `enterOwned`.
  @inlinable @inline(__always)
  final func leaveOwned() -> Bool { gate.leaveOwned { me in leaveRevoked(me) } }

  @inlinable @inline(never)
  final func enterRevoked(_ me: Int) -> Bool { gate.enterRevoked(me) }

  @inlinable @inline(never)
  final func leaveRevoked(_ me: Int) -> Bool { gate.leaveRevoked(me) }

  /// Enters the gate; to the holder, it is taken while signals of other threads wait.
  @inlinable @inline(__always)
  final func enter() -> Gate<Signal>.Entry {
    let entry = gate.enter()
    return entry == .nested && (isSettling || gate.hasHandedOver) ? .taken : entry
  }

  /// Takes a signal inside the gate, or leaves it to the holder.
  ///
  /// - Parameters:
  ///   - signal: What to take.
  ///   - process: Takes a signal; for the holder only.
  @inlinable
  final func receive(_ signal: Signal, _ process: (Signal) -> Void) {
    switch enter() {
    case .entered:
      process(signal)
      leave(process)
    case .nested: process(signal)
    case .taken: handOver(signal, process)
    }
  }

  @inlinable
  final func handOver(_ signal: Signal, _ process: (Signal) -> Void) {
    if gate.handOver(signal) { settle(process) }
  }

  @inlinable @inline(__always)
  final func leave(_ process: (Signal) -> Void) {
    if !isOver, gate.leave() { return }
    settle(process)
  }

  /// Takes what was handed over meanwhile, leaves the gate, and frees the subscriber after the end.
  @inlinable @inline(never)
  final func settle(_ process: (Signal) -> Void) {
    var ended: Unmanaged<SubscriberBox<Downstream>>?
    var endedClosures: Unmanaged<Closures>?
    repeat {
      isSettling = true
      gate.takeHandedOver(process)
      isSettling = false
      if isOver, let target = unsafe target {
        unsafe ended = target
        unsafe self.target = nil
        unsafe endedClosures = closures
        unsafe closures = nil
      }
    } while !gate.leave()
    unsafe ended?.release()
    unsafe endedClosures?.release()
  }
}
