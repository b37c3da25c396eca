// A subscriber's subscription to a replaying engine: what it asks for, and who may call it.
// No test file: ReplayCoreTests and ReplayTurnTests do what is here.

import WeirQueues

/// One subscriber's subscription to what is replayed. After its end it holds nothing of that.
@safe
@usableFromInline
package final class ReplayLink<Output, Failure: Error>: Link {
  @usableFromInline let name: StaticString
  @usableFromInline let ledger = DemandLedger()
  /// Who may use `core`: requests of any thread while the subscription lasts, and whoever ends it.
  @usableFromInline let life = SubscriptionState()
  /// SAFETY (exclusivity): used under `life`, and emptied by the last user after its end.
  @safe @exclusivity(unchecked) @usableFromInline var core: ReplayCore<Output, Failure>?

  /// Who calls the subscriber without the core's gate: see `ReplayTurn`. At first the thread that subscribes.
  @usableFromInline let turn = AtomicWord(currentThreadIdentity())
  /// 0 until it has had a value.
  @usableFromInline let begun = AtomicWord(0)

  // SAFETY (exclusivity) of the next three: whoever may call the subscriber touches them, which is the thread that has
  // the turn, or the holder of the core's gate if none has; `subscriber` is emptied once, after the end, when nobody
  // can call it any more.

  /// The subscriber, until the end.
  @safe @exclusivity(unchecked) @usableFromInline var subscriber: ErasedSubscriber<Output, Failure>?
  /// The number of the value it gets next.
  @safe @exclusivity(unchecked) @usableFromInline var next = 0
  /// Whether it is being called outside the gate.
  @safe @exclusivity(unchecked) @usableFromInline var isCalledOutside = false

  // SAFETY (exclusivity) of the last three: the holder of the core's gate alone changes the first two. `isRetired` and
  // `readerPlace` are changed under the core's `changing`; the thread that has the turn reads them under it, and enters
  // itself; the holder reads the latter without if nobody has the turn.

  /// Its place in the list; -1 outside it.
  @safe @exclusivity(unchecked) @usableFromInline var place = -1
  /// Whether it is to be let go of, or has been.
  @safe @exclusivity(unchecked) @usableFromInline var isRetired = false
  /// Its place in the core's `readers`; -1 outside.
  @safe @exclusivity(unchecked) @usableFromInline var readerPlace = -1
  /// Whether values are kept until it is up to date.
  @inlinable var isReading: Bool { readerPlace >= 0 }

  @inlinable
  init(core: ReplayCore<Output, Failure>, downstream: ErasedSubscriber<Output, Failure>) {
    self.core = core
    name = core.name
    subscriber = downstream
    super.init(
      onRequest: { link, demand in
        let link = link.downcast(to: ReplayLink.self)
        demand.requireSome(link.name)
        link.withCore { $0.acknowledge(demand, of: link) }
      },
      onCancel: { link in
        let link = link.downcast(to: ReplayLink.self)
        guard link.ledger.cancel() != DemandLedger.cancelled else { return }
        link.withCore { core in
          core.receive(.remove(link))
          core.dismiss()
        }
        link.release()
      })
    if life.beginActivation() { _ = life.endActivation() }
  }

  /// Does something with what is replayed, unless the subscription is over.
  @inlinable
  func withCore(_ body: (ReplayCore<Output, Failure>) -> Void) {
    guard life.beginUse() else { return }
    if let core { body(core) }
    if life.endUse() { core = nil }
  }

  /// Lets go of what is replayed, after the end.
  @inlinable
  func release() { if life.end() == .active, life.endUse() { core = nil } }

  @usableFromInline
  package override var description: String { "\(name)" }

  @usableFromInline
  package override var customMirror: Mirror { Mirror(of: self, children: ["demand": ledger.demand]) }
}

/// Who subscribes to a shared upstream.
@frozen
@usableFromInline
package struct ReplayMembership {
  /// How the connection stands.
  @frozen
  @usableFromInline
  package enum Phase {
    /// Nobody has subscribed yet.
    case fresh
    /// The upstream is subscribed to, or about to be.
    case connected
    /// The upstream has finished: whoever comes gets what is kept.
    case finished
    /// Everybody has gone, or the upstream has failed: whoever comes needs another connection.
    case closed
  }

  @usableFromInline var phase = Phase.fresh
  @usableFromInline var count = 0

  @inlinable
  init() {}
}
