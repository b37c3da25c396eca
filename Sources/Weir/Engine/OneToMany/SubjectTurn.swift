// A subscriber's own turn: how it gets its subscription and its first value beside the deliveries of its subject.

import WeirQueues

/// What the words `turn` and `missed` of a `SubjectLink` mean.
///
/// A subscriber of a subject is called by the holder of the subject's gate. Subscribing and asking must not wait for
/// deliveries to other subscribers, so a thread may also call it outside the gate: with its subscription, and with the
/// newest value that it has missed. `turn` is that thread's identity then, and 0 otherwise.
///
/// - A new subscriber's turn is that of the subscribing thread from before it is in the list until it has its
///   subscription, and what it has asked for from within that.
/// - Later, a thread that asks for a value that was missed takes the turn if it finds the gate taken. Requester: write
///   `turn`, heavy barrier, read `calling`. Holder of the gate: write `calling`, read `turn`. At least one of the two
///   sees the other's write: the requester goes away again and leaves its request to the holder, or the holder waits
///   for it.
/// - The holder waits for a turn only if it has something for the subscriber that this would take; nobody else waits
///   for one.
///
/// `missed` is 0 as long as the subscriber has got the newest value that it was offered. Otherwise it is the place of
/// the newest that it missed, plus one: if no newer one has been stored, nothing is on its way that will bring it up to
/// date, and whoever asks delivers the newest value; where values say what was before (`LatestValue.renew`), in any
/// case, and what is on its way is skipped. The holder notes what was missed and then looks for demand again; who asks
/// adds demand and then looks at what was missed: one of the two sees both, as all four operations are sequential.
@usableFromInline
enum SubjectTurn {
  /// In `turn`: the subscriber is to be let go of, or has been.
  @usableFromInline static var closed: Int { 1 }
  /// In `turn`: somebody has asked while it was taken; look again.
  @usableFromInline static var asked: Int { 2 }
  /// In `turn`: the stream has ended; tell the subscriber.
  @usableFromInline static var ended: Int { 4 }
  /// All that is not a thread's identity.
  @usableFromInline static var marks: Int { 15 }
  /// In `missed`: the subscriber has had no value yet.
  @usableFromInline static var everything: Int { -1 }
}

/// How a stream has ended, as an object: a field for the value itself would cost every link a look-up of its type.
@usableFromInline
final class Ending<Failure: Error> {
  @usableFromInline let completion: Subscribers.Completion<Failure>

  @usableFromInline
  init(_ completion: Subscribers.Completion<Failure>) { self.completion = completion }
}

extension SubjectLink {
  /// Whether the subscriber waits for a value that it has missed, at some time before now. Who has asked sees here what
  /// was noted without a look at that demand (sequentialExchange in `takeOrMiss` and `awaitTurn`).
  @inlinable
  var isBehind: Bool { missed.sequentialLoad() != 0 }

  /// Whether no other thread has the turn. Only the holder of the gate may ask, which has said whom it is about to
  /// call.
  @inlinable @inline(__always)
  var mayBeCalledHere: Bool {
    compilerBarrier()
    let turn = turn.acquireLoad()
    return turn == 0 || turn & ~SubjectTurn.marks == currentThreadIdentity()
  }

  /// Whether the turn is the calling thread's.
  @inlinable
  var isTurnMine: Bool { turn.relaxedLoad() & ~SubjectTurn.marks == currentThreadIdentity() }

  /// Takes demand for a value of the subject, or notes that the subscriber misses it.
  @inlinable
  func takeOrMiss(_ version: Int) -> Bool {
    if !ledger.take() {
      // In this order (sequentialLoad in `isBehind` and `catchUp`).
      _ = missed.sequentialExchange(version + 1)
      guard ledger.takeAfterMiss() else { return false }
    }
    if missed.relaxedLoad() != 0 { noteSeen(version) }
    seen = version
    return true
  }

  /// Forgets what was missed up to a value; another thread may just have noted a newer one.
  @usableFromInline
  func noteSeen(_ version: Int) {
    let current = missed.relaxedLoad()
    if current <= version + 1 { _ = missed.compareExchange(expected: current, desired: 0) }
  }

  /// Waits until another thread's turn is over, if the subscriber would take a value.
  ///
  /// - Returns: Whether the caller, which holds the gate, may call the subscriber now.
  @usableFromInline @inline(never)
  func awaitTurn(forValue isValue: Bool) -> Bool {
    while ledger.demand == .none {
      guard core.latest != nil else { return false }
      // As in `takeOrMiss`.
      _ = missed.sequentialExchange(core.deliveredVersion + 1)
      if !ledger.isSomeAfterMiss { return false }
    }
    if awaitTurn() { return true }
    if ledger.isCancelled { return false }
    // Nobody in the circle can go on before this thread does. So the thread that has the turn waits within a call of
    // the subscriber: a value that would be lost comes within that, as in Combine; else that one brings the newest.
    guard core.latest != nil else { return true }
    _ = missed.exchange(core.deliveredVersion + 1)
    return mark(SubjectTurn.asked)
  }

  /// Waits until another thread's turn is over.
  ///
  /// - Returns: Whether the caller, which holds the gate, is to tell the subscriber.
  @usableFromInline @inline(never)
  func awaitTurn(toEndWith completion: Subscribers.Completion<Failure>) -> Bool {
    awaitTurn() || !ledger.isCancelled && leaveEnd(completion)
  }

  /// Leaves the end to the thread that has the turn.
  ///
  /// - Returns: `true` if the turn is over: the caller tells the subscriber.
  @usableFromInline
  func leaveEnd(_ completion: Subscribers.Completion<Failure>) -> Bool {
    ending = Ending(completion)
    return mark(SubjectTurn.ended)
  }

  /// Waits until nobody has the turn.
  ///
  /// - Returns: `false` if that would be for ever, or if nobody wants what comes.
  private func awaitTurn() -> Bool {
    var wait = CallWait()
    while turn.acquireLoad() & ~SubjectTurn.marks != 0 {
      if ledger.isCancelled || !wait.goesOn(for: turn, or: turn, as: core.name) { return false }
    }
    return true
  }

  /// Leaves something to the thread that has the turn.
  ///
  /// - Returns: `true` if the turn is over: the caller does it itself.
  private func mark(_ mark: Int) -> Bool {
    var current = turn.acquireLoad()
    while current & ~SubjectTurn.marks != 0 {
      let (exchanged, original) = turn.compareExchange(expected: current, desired: current | mark)
      if exchanged { return false }
      current = original
    }
    return true
  }

  /// Gives the caller's turn back, and does what others have left to it.
  @inlinable
  func endTurn() {
    if !turn.compareExchange(expected: currentThreadIdentity(), desired: 0).exchanged { endMarkedTurn() }
  }

  @usableFromInline @inline(never)
  func endMarkedTurn() {
    while true {
      let current = turn.acquireLoad()
      if current & SubjectTurn.ended != 0, let ending {
        _ = turn.compareExchange(expected: current, desired: current & ~SubjectTurn.ended)
        self.ending = nil
        finish(ending.completion)
      } else if turn.compareExchange(expected: current, desired: current & SubjectTurn.closed).exchanged {
        if current & SubjectTurn.closed != 0 { return releaseTarget() }
        if current & SubjectTurn.asked != 0, core.latest != nil { core.refresh(self) }
        return
      }
    }
  }

  /// Lets go of the subscriber after the end, or leaves that to the thread that has the turn. For whoever has taken the
  /// link out of the list and left the gate, once.
  @inlinable
  func retireTarget() {
    if turn.compareExchange(expected: 0, desired: SubjectTurn.closed).exchanged {
      releaseTarget()
    } else {
      retireCalled()
    }
  }

  @usableFromInline @inline(never)
  func retireCalled() {
    if mark(SubjectTurn.closed) { releaseTarget() }
  }
}

extension SubjectCore {
  /// Takes a request of a subscriber that has missed values, or has had none yet, and brings it up to date.
  ///
  /// - Parameter demand: What it asks for; nothing if that has been noted.
  @inlinable
  func refresh(_ member: Member, adding demand: Subscribers.Demand = .none) {
    var demand = demand
    if member.isTurnMine {
      if member.ledger.note(&demand) { catchUp(member) }
      return
    }
    repeat {
      switch gate.enter() {
      case .entered:
        if member.ledger.note(&demand) { catchUpInside(member) }
        // What a change that is to be delivered later has left there may be what it waits for.
        if gate.hasQueued { takeQueued() }
        return leave()
      case .nested:
        if member.ledger.note(&demand) { callWithin { catchUpInside(member) } }
        return
      case .taken: break
      }
    } while !catchUpOutside(member, adding: &demand)
  }

  /// Brings a subscriber up to date. Only the holder of the gate may call this.
  @usableFromInline
  func catchUpInside(_ member: Member) {
    let former = calling.relaxedLoad() & ~CallMark.mark
    calling.publish(unsafe Int(bitPattern: Unmanaged.passUnretained(member).toOpaque()))
    // Whoever else has the turn looks again when it is over.
    if member.mayBeCalledHere || member.markAsked() { catchUp(member) }
    calling.publish(former)
  }

  /// Brings a subscriber up to date while another thread holds the gate, and waits while that one is calling it.
  ///
  /// What is asked for is noted when that call is over: it can't take it, so the first value comes on this thread.
  ///
  /// - Returns: `false` if the caller is to try again.
  @usableFromInline @inline(never)
  func catchUpOutside(_ member: Member, adding demand: inout Subscribers.Demand) -> Bool {
    guard member.turn.compareExchange(expected: 0, desired: currentThreadIdentity()).exchanged else {
      return !member.ledger.note(&demand) || !member.markAsked()
    }
    let isOrdered = heavyBarrier()
    let isAlone = isOrdered && (waits ? awaitCall(of: member, unlessAsked: true) : !isCalling(member))
    let isAsked = member.ledger.note(&demand)
    if isAlone, isAsked { catchUp(member) }
    member.endTurn()
    if isAlone || !isAsked { return true }
    if isOrdered, waits, awaitCall(of: member, unlessAsked: false) { return false }
    handOver(.refresh(member))
    return true
  }

  /// Waits until the holder of the gate is through with a subscriber.
  ///
  /// - Parameter isGivenUp: Whether to give up if there is demand: the holder may wait for the caller's turn then.
  /// - Returns: `false` if the wait was given up, or if threads wait for each other in a circle.
  private func awaitCall(of member: Member, unlessAsked isGivenUp: Bool) -> Bool {
    gate.outlast(as: name, while: { isCalling(member) }, unless: { isGivenUp && member.ledger.demand != .none })
  }

  /// Delivers the newest value to a subscriber that has missed it, if none is on its way. Only for a thread that alone
  /// may call the subscriber.
  @usableFromInline
  func catchUp(_ member: Member) {
    repeat {
      // After what was asked for (sequentialExchange in `takeOrMiss` and `awaitTurn`).
      let missed = member.missed.sequentialLoad()
      guard missed != 0 else { return }
      let (value, version) = stored.withLock { ($0.value, $0.version) }
      // It had that one here while the holder of the gate was about to offer it.
      guard version > member.seen else { return member.noteSeen(version) }
      // One that has had no value yet gets the newest in any case, and so does one to which what is on its way would
      // say what was before; that is skipped then.
      guard member.seen < 0 || stored.renew != nil || missed == version + 1, member.takeOrMiss(version) else { return }
      member.pass(value)
      // It may have missed one within that, and have asked by what it returned: as in Combine that counts for later
      // values alone, but a change of a state is not to be lost.
    } while stored.renew != nil
  }
}

extension SubjectLink {
  /// Leaves a request to the thread that has the turn.
  ///
  /// - Returns: `true` if the turn is over: the caller does it itself. Never after the subscriber was let go of.
  func markAsked() -> Bool { turn.relaxedLoad() & SubjectTurn.closed == 0 && mark(SubjectTurn.asked) }
}
