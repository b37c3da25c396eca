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

  @usableFromInline let lock = SpinLock()
  /// SAFETY (exclusivity): touched by the holder of `lock` only.
  @safe @exclusivity(unchecked) @usableFromInline var state: State
  /// Makes what a subscriber gets in place of a value if it has not got the one before; `nil` where that is the same.
  @usableFromInline let renew: ((Output) -> Output)?

  /// - Parameters:
  ///   - value: The first value.
  ///   - renew: For values that say what was before: makes one that does not, for those who have missed that. Who asks
  ///     after that gets the newest at once then, also if it is on its way.
  @inlinable
  package init(_ value: Output, renewing renew: ((Output) -> Output)? = nil) {
    state = State(value: value)
    self.renew = renew
  }

  /// Runs `body` with the state, alone. No user code may run inside.
  @inlinable @inline(__always)
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
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
  /// There is no room for it: nobody will deliver it.
  case nowhere
}

/// What became of a value that the holder of the gate wanted to store.
@frozen
@usableFromInline
enum Stored {
  /// It is stored, and the next to be delivered.
  case isNext
  /// It is stored, and in the queue behind those that others have stored before.
  case isBehindOthers
  /// The stream is over: nobody gets it.
  case isNotSent
}

/// Storing a value and taking its place in the order of delivery are one step, under the lock of the value; delivering
/// is not. So the order in which values are stored is the order in which they are delivered, the newest is there for
/// readers as soon as `send` returns, and no user code runs under the lock. Senders that wait store inside the gate,
/// where only a value that was handed over and not taken yet can be before theirs; it is delivered first. Where senders
/// hand over, a send from within a delivery is delivered at once, deeper in the stack, unless values of other threads
/// wait: then it goes behind them.
///
/// `SubjectTurn` says how a subscriber is brought up to date that asks for values after having missed some.
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
    if waits { return _ = updateInside(value, storesAfterEnd) }
    // The former value, and one that finds no room, are freed after the lock: their `deinit` may be user code.
    var exchanged = value
    var dropped: Output?
    let placement = stored.withLock { state -> Placement in
      guard store(&exchanged, in: &state, storesAfterEnd) else { return .left }
      let placement = place(value, state.version, dropping: &dropped)
      // It has no place among those that are delivered: who asks gets it in that of the one before.
      if placement == .nowhere { state.version -= 1 }
      return placement
    }
    perform(.value(value), placement)
    withExtendedLifetime(dropped) {}
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

  /// Enters the gate first and stores inside it: then the order of the gate is that of the values.
  ///
  /// - Returns: The value's place among all values sent.
  @inlinable @inline(__always)
  func updateInside(_ value: Output, _ storesAfterEnd: Bool) -> Int {
    guard gate.enterOwned({ me in enterRevoked(me) }) else { return updateShared(value, storesAfterEnd) }
    let version = storeAndDeliver(value, storesAfterEnd)
    calling.publish(0)
    if unsafe retired == nil, gate.leaveOwned({ me in leaveRevoked(me) }) { return version }
    settle()
    return version
  }

  @inlinable @inline(never)
  func updateShared(_ value: Output, _ storesAfterEnd: Bool) -> Int {
    var version = 0
    let entry = gate.tryEnterShared()
    switch entry == .taken ? awaitGate() : entry {
    case .entered:
      version = storeAndDeliver(value, storesAfterEnd)
      leave()
    case .nested:
      callWithin { version = storeAndDeliver(value, storesAfterEnd) }
      nestedVersion = Int32(truncatingIfNeeded: deliveredVersion)
    case .taken:
      var exchanged = value
      let placement = stored.withLock { state -> Placement in
        let isSent = store(&exchanged, in: &state, storesAfterEnd)
        version = state.version
        return isSent ? leave(.value(value)) : .left
      }
      perform(.value(value), placement)
    }
    return version
  }

  /// Stores a value and delivers it, behind those that were handed over and so stored before. Only the holder of the
  /// gate may call this.
  ///
  /// - Returns: The value's place among all values sent.
  @inlinable @inline(__always)
  func storeAndDeliver(_ value: Output, _ storesAfterEnd: Bool) -> Int {
    // The former value is freed after the lock: its `deinit` may be user code.
    var exchanged = value
    let (outcome, version) = stored.withLock { state -> (Stored, Int) in
      guard store(&exchanged, in: &state, storesAfterEnd) else { return (.isNotSent, state.version) }
      guard gate.hasQueued else { return (.isNext, state.version) }
      gate.enqueue(.value(value))
      return (.isBehindOthers, state.version)
    }
    switch outcome {
    case .isNext:
      deliveredVersion = version
      deliver(value)
    case .isBehindOthers: takeQueued()
    case .isNotSent: break
    }
    return version
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
    var look = Look()
    switch gate.enter(as: name, unless: { nobodyTakesTheEnd(&look) }) {
    case .entered:
      storeEnd(completion)
      leave()
    case .nested: callWithin { storeEnd(completion) }
    case .taken:
      let placement = stored.withLock { state -> Placement in
        guard !state.isOver else { return .left }
        state.isOver = true
        return leave(.completion(completion))
      }
      perform(.completion(completion), placement)
    }
  }

  /// Ends the stream behind the values that were handed over before. Only the holder of the gate may call this.
  @inlinable
  func storeEnd(_ completion: Subscribers.Completion<Failure>) {
    let outcome = stored.withLock { state -> Stored in
      guard !state.isOver else { return .isNotSent }
      state.isOver = true
      guard gate.hasQueued else { return .isNext }
      gate.enqueue(.completion(completion))
      return .isBehindOthers
    }
    switch outcome {
    case .isNext: complete(completion)
    case .isBehindOthers: takeQueued()
    case .isNotSent: break
    }
  }

  /// Finds out how a value gets to the subscribers, and leaves it to the holder of the gate if that is to deliver it.
  @inlinable @inline(__always)
  func place(_ value: Output, _ version: Int, dropping dropped: inout Output?) -> Placement {
    guard let bound else { return place(.value(value)) }
    let placement = place { leave(value, version, to: bound, dropping: &dropped) }
    // Values that were dropped have had their places.
    if placement == .entered || placement == .nested { deliveredVersion = version - 1 }
    return placement
  }

  @inlinable @inline(__always)
  func place(_ signal: Signal) -> Placement { place { leave(signal) } }

  @inlinable @inline(__always)
  func place(orElse leave: () -> Placement) -> Placement {
    switch gate.tryEnter() {
    case .entered: return .entered
    case .nested where !isSettling && !gate.hasHandedOver: return .nested
    // The holder, too, leaves its signal behind those that wait: what others stored before comes first.
    case .nested, .taken: return leave()
    }
  }

  @inlinable
  func leave(_ signal: Signal) -> Placement { gate.handOver(signal) ? .leftAndHolding : .left }

  @inlinable @inline(__always)
  func perform(_ signal: Signal, _ placement: Placement) {
    switch placement {
    case .entered:
      process(signal)
      leave()
    case .nested: callWithin { process(signal) }
    case .leftAndHolding: settle()
    case .left, .nowhere: if !waits, gate.relieve() { settle() }
    }
  }
}

extension SubjectCore {
  /// Stores a value and sends it, as `update` does.
  ///
  /// - Returns: Its place among all values sent.
  @inlinable
  func send(placing value: Output) -> Int {
    if waits { return updateInside(value, true) }
    // The former value is freed after the lock: its `deinit` may be user code.
    var exchanged = value
    let (placement, version) = stored.withLock { state -> (Placement, Int) in
      (store(&exchanged, in: &state, true) ? place(.value(value)) : .left, state.version)
    }
    perform(.value(value), placement)
    return version
  }

  /// Whether a value that is offered to a subscriber comes behind one that was sent within its delivery, and that the
  /// subscriber has had. It is the newest again then.
  /// Only the holder of the gate may ask, which may call the subscriber.
  @usableFromInline @inline(never)
  func outlasts(_ value: Output, for member: Member) -> Bool {
    guard keepsOuterValue, nestedVersion == Int32(truncatingIfNeeded: deliveredVersion) else { return false }
    restore(value, unlessNewerThan: deliveredVersion)
    member.seen = deliveredVersion - 1
    return true
  }

  /// Sets the newest value to one that was sent before it, unless a newer one has been sent.
  @inlinable
  func restore(_ value: Output, unlessNewerThan version: Int) {
    var exchanged = value
    stored.withLock { if $0.version == version { swap(&$0.value, &exchanged) } }
  }
}
