// One subscriber of a subject: its demand, and the closures that reach it.

import WeirQueues

/// The subscription of one subscriber to a subject.
///
/// The subscriber is held unmanaged, as one retained object, beside two closures that take that object: they were
/// formed where its type was known, capture nothing and never change, so that a delivery counts no reference. A
/// subscriber that passes values to closures of its own (`DirectSubscriber`) is called even more directly: the link
/// also holds the object with these closures, and passes values to them without the subscriber. What changes, `target`
/// and `index`, belongs to the holder of the core's gate; `ledger` belongs to everybody. The link holds the core, and
/// the core the subject as long as it has subscribers.
@safe
@usableFromInline
package final class SubjectLink<Output, Failure: Error>: Link {
  @usableFromInline typealias Closures = SubscriberClosures<Output, Failure>

  @usableFromInline let core: SubjectCore<Output, Failure>
  @usableFromInline let ledger = DemandLedger()
  @usableFromInline let receiveValue: (AnyObject, Output) -> Subscribers.Demand
  @usableFromInline let receiveCompletion: (AnyObject, Subscribers.Completion<Failure>) -> Void

  /// Not 0 while values may go to the subscriber without further questions: it has asked for everything, has had its
  /// first value and has not cancelled. The address of `closures` then, or 1 if there are none.
  ///
  /// The holder of the gate sets it and then looks whether the ledger was cancelled; whoever cancels while another
  /// thread holds the gate does so first and then erases it. Both change it by read-modify-writes, so whichever comes
  /// second sees what the other did before.
  @usableFromInline let direct = AtomicWord(0)

  /// Who calls the subscriber without the core's gate: see `SubjectTurn`.
  @usableFromInline let turn = AtomicWord(0)

  /// The place of the newest value that the subscriber has missed for want of demand; see `SubjectTurn`.
  @usableFromInline let missed = AtomicWord(SubjectTurn.everything)

  /// The next of the links that the holder of the core's gate is calling further up its stack; it alone writes this.
  @usableFromInline let nextOuter = AtomicWord(0)
  // SAFETY (exclusivity) of the next two: touched by the holder of the core's gate only.

  /// How often it is calling this one there.
  @safe @exclusivity(unchecked) @usableFromInline var outerDepth: Int32 = 0
  /// Place in the core's list; -1 outside it.
  @safe @exclusivity(unchecked) @usableFromInline var index: Int32 = -1

  // SAFETY (exclusivity) of the next two: written by the initialiser, by the holder of the core's gate, and by
  // `releaseTarget`, which runs once, after the ledger was cancelled and the core's gate and the turn have made sure
  // that no delivery to this link is under way or can start.

  /// The subscriber, retained once; `nil` after the subscription ended and nothing runs in it any more.
  @exclusivity(unchecked) @usableFromInline var target: Unmanaged<AnyObject>?
  /// The closures of a subscriber that is called directly, retained once.
  @exclusivity(unchecked) @usableFromInline var closures: Unmanaged<Closures>?

  /// The place of the value that the subscriber got last, where the subject keeps its newest.
  /// SAFETY (exclusivity): touched by whoever may call the subscriber: the holder of the core's gate that has found no
  /// other thread's turn, or the thread that has the turn.
  @safe @exclusivity(unchecked) @usableFromInline var seen = -1

  /// How the stream ended, left to the thread that has the turn. SAFETY (exclusivity): written once by the holder of
  /// the gate, before it says so in `turn`, and read by the thread that sees that there.
  @safe @exclusivity(unchecked) @usableFromInline var ending: Ending<Failure>?

  /// Next in the core's chain of ended links. SAFETY (exclusivity): touched by the holder of the gate, and by the one
  /// thread that took the chain away.
  @exclusivity(unchecked) @usableFromInline var nextRetired: Unmanaged<SubjectLink>?

  /// Creates the subscription.
  ///
  /// - Parameters:
  ///   - core: The subject's engine.
  ///   - target: What holds the subscriber, retained once.
  ///   - closures: The closures that values may go to without the subscriber, retained once.
  ///   - receiveValue: Takes what holds the subscriber, and passes it a value.
  ///   - receiveCompletion: Takes what holds the subscriber, and passes it the completion.
  @inlinable
  init(
    core: __shared SubjectCore<Output, Failure>, target: Unmanaged<AnyObject>, closures: Unmanaged<Closures>?,
    receiveValue: @escaping (AnyObject, Output) -> Subscribers.Demand,
    receiveCompletion: @escaping (AnyObject, Subscribers.Completion<Failure>) -> Void
  ) {
    self.core = core
    unsafe self.target = target
    unsafe self.closures = closures
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    unsafe nextRetired = nil
    super.init(
      onRequest: { link, demand in link.downcast(to: SubjectLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: SubjectLink.self).end() })
  }

  deinit { releaseTarget() }

  /// The first demand may set upstreams of the subject going.
  @usableFromInline
  package override var notesDemand: Bool { !core.upstreams.isUsed || core.upstreams.opened.relaxedLoad() != 0 }

  /// Delivers a value if there is demand for it. Only the holder of the core's gate may call this.
  @inlinable @inline(__always)
  func offer(_ value: Output) {
    let direct = direct.relaxedLoad()
    guard direct > 1 else { return direct == 1 ? passUnmetered(value) : offerIfAsked(value) }
    // SAFETY: the subscriber had not cancelled yet; a cancellation since then can't get the gate, and leaves the
    // closures alone.
    unsafe Unmanaged<Closures>.fromOpaque(UnsafeRawPointer(bitPattern: direct).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { $0.receiveValue(value) }
  }

  @inlinable @inline(never)
  func offerIfAsked(_ value: Output) {
    guard mayBeCalledHere || awaitTurn(forValue: true) else { return }
    var renew: ((Output) -> Output)?
    if let latest = core.latest {
      if core.deliveredVersion > seen + 1 { renew = latest.renew }
      guard core.deliveredVersion > seen || core.outlasts(value, for: self), takeOrMiss(core.deliveredVersion)
      else { return }
    } else if !ledger.take() {
      return
    }
    if ledger.isUnlimited, turn.relaxedLoad() == 0 { goDirect() }
    pass(renew?(value) ?? value)
  }

  /// From the next value on, nothing is asked, and closures are called directly, if there are any.
  @inlinable
  func goDirect() {
    _ = unsafe direct.exchange(closures.map { unsafe Int(bitPattern: $0.toOpaque()) } ?? 1)
    if ledger.isCancelled { _ = direct.exchange(0) }
  }

  /// Passes a value to a subscriber that has asked for everything: what it returns adds nothing to that.
  @inlinable @inline(__always)
  func passUnmetered(_ value: Output) {
    // SAFETY: the subscriber had not cancelled yet; a cancellation since then can't get the gate.
    _ = unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef { receiveValue($0, value) }
  }

  @inlinable @inline(never)
  func pass(_ value: Output) {
    // SAFETY: demand was taken, so the ledger was not cancelled before; a cancellation since then can't get the gate.
    let more = unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef { receiveValue($0, value) }
    if more != .none { ledger.add(more) }
  }

  /// Delivers the completion, with or without demand. Only the holder of the core's gate may call this.
  @inlinable
  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard !ledger.isCancelled, mayBeCalledHere || awaitTurn(toEndWith: completion) else { return }
    guard ledger.cancel() != DemandLedger.cancelled else { return }
    // SAFETY: this call cancelled the ledger, so nobody else has, and the target is still held.
    unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef { receiveCompletion($0, completion) }
  }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    demand.requireSome(core.name)
    if core.latest != nil, isBehind { return core.refresh(self, adding: demand) }
    guard ledger.add(demand) != DemandLedger.cancelled else { return }
    core.acknowledgeDemand()
    // It may have missed one just now.
    if core.latest != nil, isBehind { core.refresh(self) }
  }

  @inlinable
  func end() {
    if ledger.cancel() != DemandLedger.cancelled { core.remove(self) }
  }

  /// Keeps the holder of the core's gate, another thread, from passing on further values.
  @inlinable
  func stopDirect() { _ = direct.exchange(0) }

  /// Lets go of the subscriber; the caller has made sure that nothing runs in it.
  @inlinable
  func releaseTarget() {
    unsafe target?.release()
    unsafe target = nil
    unsafe closures?.release()
    unsafe closures = nil
  }

  @usableFromInline
  package override var description: String { "\(core.name)" }

  /// The subject, the subscriber and its demand, as Combine shows them; the demand alone while another thread delivers,
  /// since nobody else may look at the rest then.
  @usableFromInline
  package override var customMirror: Mirror {
    let demand = ledger.demand
    guard let ends = core.whileNobodyDelivers({ ends }) else { return Mirror(of: self, children: ["demand": demand]) }
    return Mirror(
      of: self,
      children: [
        "parent": ends.subject as Any, "downstream": ends.subscriber as Any, "demand": demand,
        "subject": ends.subject as Any,
      ])
  }

  /// What the subscription connects; nothing after its end. Only the holder of the core's gate may call this.
  private var ends: (subject: AnyObject?, subscriber: Any?) {
    guard !ledger.isCancelled, let object = unsafe target?.takeUnretainedValue() else { return (nil, nil) }
    let held = (object as? any SubscriberHolder)?.heldSubscriber ?? object
    return (core.subject, (held as? any SubscriberHolder)?.heldSubscriber ?? held)
  }
}
