// What subjects that keep their newest value add to the engine of subjects.

import WeirQueues

/// The newest value sent to a subject, and its place among all values sent.
@usableFromInline
package final class LatestValue<Output> {
  @frozen
  @usableFromInline
  package struct State {
    @usableFromInline package var value: Output
    /// Counts the values stored since the beginning.
    @usableFromInline package var version = 0
    /// Set by the completion: values no longer go to subscribers.
    @usableFromInline package var isOver = false

    @inlinable
    package init(value: Output) { self.value = value }
  }

  @usableFromInline let turn = SpinLock()
  /// SAFETY (exclusivity): touched by the holder of `turn` only.
  @safe @exclusivity(unchecked) @usableFromInline var state: State

  @inlinable
  package init(_ value: Output) { state = State(value: value) }

  /// Runs `body` with the state, alone. No user code may run inside.
  @inlinable @inline(__always)
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    turn.lock()
    defer { turn.unlock() }
    return body(&state)
  }
}

/// Where a signal was put.
@frozen
@usableFromInline
enum Placement {
  /// The sender holds the gate and delivers it.
  case entered
  /// The sender is delivering already, further up the stack.
  case nested
  /// It is with the signals handed over, and the sender holds the gate and delivers them all.
  case leftAndHolding
  /// Another thread will deliver it, or nobody need.
  case left
}

/// Storing a value and taking its place in the order of delivery are one step, under the lock of the value; delivering is
/// not. So the order in which values are stored is the order in which they are delivered, the newest is there for readers
/// as soon as `send` returns, and no user code runs under the lock. A send from within a delivery is delivered at once,
/// deeper in the stack, unless values of other threads wait: then it goes behind them.
///
/// A subscriber that asks for values after having missed some is brought up to date inside the gate. If the newest value
/// is still on its way to delivery (`version` is ahead of `deliveredVersion`), it will come by itself, and only once.
extension SubjectCore {
  // SAFETY: only subjects that were made with a value call what is in this extension.
  @inlinable @inline(__always)
  var stored: LatestValue<Output> { unsafe latest.unsafelyUnwrapped }

  /// The newest value.
  @inlinable
  package var value: Output { stored.withLock { $0.value } }

  /// Stores a value and sends it to every subscriber with demand; the others will get the newest when they ask.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - storesAfterEnd: Whether the value is stored even after the completion; it is not sent then.
  @inlinable
  package func update(_ value: Output, storesAfterEnd: Bool) {
    if waits { return updateInside(value, storesAfterEnd) }
    // The former value is freed after the lock: its `deinit` may be user code.
    var exchanged = value
    let placement = stored.withLock { state -> Placement in
      store(&exchanged, in: &state, storesAfterEnd) ? place(.value(value)) : .left
    }
    perform(.value(value), placement)
  }

  /// Stores a value, if the stream is not over.
  ///
  /// - Parameter value: The value; the former one afterwards.
  /// - Returns: Whether it is to be delivered.
  @inlinable @inline(__always)
  func store(_ value: inout Output, in state: inout LatestValue<Output>.State, _ storesAfterEnd: Bool) -> Bool {
    guard !state.isOver else {
      if storesAfterEnd { swap(&state.value, &value) }
      return false
    }
    swap(&state.value, &value)
    state.version += 1
    return true
  }

  /// Waits for the gate first and stores inside it: then the order of the gate is that of the values.
  @inlinable @inline(never)
  func updateInside(_ value: Output, _ storesAfterEnd: Bool) {
    let isNested = enterOrWait()
    var exchanged = value
    if stored.withLock({ store(&exchanged, in: &$0, storesAfterEnd) }) { process(.value(value)) }
    if !isNested { leave() }
  }

  /// Holds the gate, whatever that takes.
  ///
  /// - Returns: Whether the caller held it before.
  @inlinable
  func enterOrWait() -> Bool {
    switch gate.enter() {
    case .entered: return false
    case .nested: return true
    case .taken:
      while gate.enter(as: name, unless: { false }) == .taken {}
      return false
    }
  }

  /// Ends the stream of every subscriber; values sent later are dropped.
  @inlinable
  package func finish(_ completion: Subscribers.Completion<Failure>) {
    if waits { return finishInside(completion) }
    let placement = stored.withLock { state -> Placement in
      guard !state.isOver else { return .left }
      state.isOver = true
      return place(.completion(completion))
    }
    perform(.completion(completion), placement)
  }

  @inlinable @inline(never)
  func finishInside(_ completion: Subscribers.Completion<Failure>) {
    let isNested = enterOrWait()
    let isFirst = stored.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { complete(completion) }
    if !isNested { leave() }
  }

  @inlinable @inline(__always)
  func place(_ signal: Signal) -> Placement {
    switch gate.tryEnter() {
    case .entered: return .entered
    case .nested where !isSettling && !gate.hasHandedOver: return .nested
    // The holder, too, leaves its signal behind those that wait: what others stored before comes first.
    case .nested, .taken: return gate.handOver(signal) ? .leftAndHolding : .left
    }
  }

  @inlinable @inline(__always)
  func perform(_ signal: Signal, _ placement: Placement) {
    switch placement {
    case .entered:
      process(signal)
      leave()
    case .nested: process(signal)
    case .leftAndHolding: settle()
    case .left: break
    }
  }

  /// Brings a subscriber up to date that has asked for values.
  @inlinable
  func refresh(_ member: Member) {
    switch gate.enter() {
    case .entered:
      catchUp(member)
      leave()
    case .nested: catchUp(member)
    case .taken: handOver(.refresh(member))
    }
  }

  /// Delivers the newest value to a subscriber that has missed it. Only the holder of the gate may call this.
  @inlinable
  func catchUp(_ member: Member) {
    guard member.isStale, member.index >= 0 else { return }
    let (value, version) = stored.withLock { ($0.value, $0.version) }
    if version == deliveredVersion { member.offer(value) }
  }
}
