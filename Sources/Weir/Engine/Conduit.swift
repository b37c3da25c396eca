// One subscriber of a subject: its demand, and the closures that reach it.

import WeirQueues

/// The subscription of one subscriber to a subject.
///
/// The subscriber is held unmanaged, as one retained object, beside two closures that take that object: they were formed
/// where its type was known, capture nothing and never change, so that a delivery counts no reference. What changes,
/// `target` and `index`, belongs to the holder of the core's gate; `ledger` belongs to everybody. The same object holds the
/// subject, which therefore lives as long as it has a subscriber, and no longer.
@safe
@usableFromInline
package final class Conduit<Output, Failure: Error>: Link {
  @usableFromInline let core: SubjectCore<Output, Failure>
  @usableFromInline let ledger = DemandLedger()
  @usableFromInline let receiveValue: (AnyObject, Output) -> Subscribers.Demand
  @usableFromInline let receiveCompletion: (AnyObject, Subscribers.Completion<Failure>) -> Void

  /// The subscriber, retained once; `nil` after the subscription ended and nothing runs in it any more.
  ///
  /// SAFETY (exclusivity): written by the initialiser, and by `releaseTarget`, which runs once, after the ledger was
  /// cancelled and the core's gate has made sure that no delivery to this conduit is under way or can start.
  @exclusivity(unchecked) @usableFromInline var target: Unmanaged<AnyObject>?

  /// Place in the core's list; -1 outside it. SAFETY (exclusivity): touched by the holder of the core's gate only.
  @safe @exclusivity(unchecked) @usableFromInline var index = -1

  /// Next in the core's chain of ended conduits. SAFETY (exclusivity): touched by the holder of the gate, and by the one
  /// thread that took the chain away.
  @safe @exclusivity(unchecked) @usableFromInline var nextRetired: Conduit?

  @inlinable
  init<S: Subscriber>(
    core: SubjectCore<Output, Failure>, subscriber: S, subject: AnyObject
  ) where S.Input == Output, S.Failure == Failure {
    self.core = core
    unsafe target = .passRetained(Seat(subscriber: subscriber, subject: subject))
    // SAFETY: the object passed to these closures is always the seat above.
    receiveValue = { target, value in
      unsafe unsafeDowncast(target, to: Seat<S>.self).subscriber.receive(value)
    }
    receiveCompletion = { target, completion in
      unsafe unsafeDowncast(target, to: Seat<S>.self).subscriber.receive(completion: completion)
    }
    super.init(
      onRequest: { link, demand in unsafe unsafeDowncast(link, to: Conduit.self).demand(demand) },
      onCancel: { link in unsafe unsafeDowncast(link, to: Conduit.self).end() })
  }

  deinit { releaseTarget() }

  /// Delivers a value if there is demand for it. Only the holder of the core's gate may call this.
  @inlinable @inline(__always)
  func offer(_ value: Output) {
    guard ledger.take() else { return }
    // SAFETY: demand was taken, so the ledger was not cancelled before; a cancellation since then can't get the gate.
    let more = unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef { receiveValue($0, value) }
    if more != .none { ledger.add(more) }
  }

  /// Delivers the completion, with or without demand. Only the holder of the core's gate may call this.
  @inlinable
  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard ledger.cancel() != DemandLedger.cancelled else { return }
    // SAFETY: this call cancelled the ledger, so nobody else has, and the target is still held.
    unsafe target.unsafelyUnwrapped._withUnsafeGuaranteedRef { receiveCompletion($0, completion) }
  }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    demand.requireSome(core.name)
    if ledger.add(demand) != DemandLedger.cancelled { core.acknowledgeDemand() }
  }

  @inlinable
  func end() {
    if ledger.cancel() != DemandLedger.cancelled { core.remove(self) }
  }

  /// Lets go of the subscriber; the caller has made sure that nothing runs in it.
  @inlinable
  func releaseTarget() {
    unsafe target?.release()
    unsafe target = nil
  }

  @usableFromInline
  package override var description: String { "\(core.name)" }

  @usableFromInline
  package override var customMirror: Mirror {
    Mirror(self, children: ["demand": ledger.demand])
  }
}

/// A subscriber together with the subject that it keeps alive.
@usableFromInline
final class Seat<S: Subscriber> {
  @usableFromInline let subscriber: S
  @usableFromInline let subject: AnyObject

  @inlinable
  init(subscriber: S, subject: AnyObject) {
    self.subscriber = subscriber
    self.subject = subject
  }
}
